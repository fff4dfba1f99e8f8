import type { Contact } from '#contract/contact.ts';
import { must } from '#contract/values/must.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import type { ImportOutcome } from '../database/importOutcome.ts';
import type { ImportedContact } from '../contacts/addContacts.ts';
import { putContacts } from '../contacts/store.ts';
import { chunks } from '../database/chunks.ts';
import type { Database } from '../database/database.ts';
import { inScope, Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import {
  createToken,
  createWorkspace,
  findPrincipalByTokenUuid,
  readAllTokens,
  listWorkspaces,
  type TokenPrincipal,
} from '../workspaces/store.ts';
import { changeDemoContacts } from './demoChanges.ts';
import { demoContacts } from './demoContacts.ts';
import { checkDemoDomains } from './demoDns.ts';
import { demoAddresses, demoDomains, DOMAINS_SEED } from './demoDomains.ts';
import { putDemoHistory } from './demoHistory.ts';
import { demoEvents } from './demoEvents.ts';
import { type DemoUnsubscribe, demoUnsubscribes } from './demoUnsubscribes.ts';
import { seededRandom, type Random } from './seededRandom.ts';
import type { ImportedEvent } from '../contacts/events/checkEvent.ts';

const SEED = 20_260_401;
const NAME = 'Acme Mail (demo)';
const SECOND_WORKSPACE_NAME = 'Acme Labs (demo)';
const TOKEN_NAME = 'demo';
const CONTACTS = 2000;
const EVENTS = [25_000, 3, 480, 120, 60, 37, 24, 12, 8, 1];

/** Other contacts at once, by one statement. */
const EVENTS_AT_ONCE = 5000;

type Writes = Pick<Database, 'write'> & { readonly unscoped: Pick<Database['unscoped'], 'write'> };

/** Two workspaces that share identities and nothing else; null when the demo exists. The data are seeded, relative to `now`. */
export async function makeDemo(db: Database, now: number): Promise<{ workspace: Workspace; token: string } | null> {
  if ((await listWorkspaces(db)).some(({ name }) => name === NAME)) return null;
  const checked = await checkDemoDomains(demoDomains(seededRandom(DOMAINS_SEED), now));
  // One transaction: an interrupted first start leaves nothing behind.
  return db.unscoped.write(async (trx) => {
    const existing = await trx.selectFrom('workspaces').select('id').where('name', '=', NAME).execute();
    if (existing.length > 0) return null;
    const within: Writes = {
      write: (workspace, work) => inScope(workspace, work)(trx),
      unscoped: { write: (work) => work(trx) },
    };
    const random = seededRandom(SEED);
    const contacts = demoContacts(random, CONTACTS, now);
    const unsubscribes = demoUnsubscribes(contacts, now);
    const workspace = await createWorkspace(within, { name: NAME, identity_field: 'customer_id' }, now);
    await putDemoContacts(workspace, within, contacts, unsubscribes, now);
    for (const [index, count] of EVENTS.entries()) {
      const contact = must(contacts[index]).uuid;
      const events = demoEvents(random, count, now).map((event) => ({ ...imported(event), contact }));
      check(await putEvents(new Scope(workspace, trx), events, now));
    }
    const mails = demoMails(contacts.slice(EVENTS.length), unsubscribes, now);
    for (const events of chunks(mails, EVENTS_AT_ONCE)) check(await putEvents(new Scope(workspace, trx), events, now));
    await putDemoDomains(new Scope(workspace, trx), now);
    await putDemoHistory(new Scope(workspace, trx), checked, now);

    const sister = await createWorkspace(within, { name: SECOND_WORKSPACE_NAME, identity_field: 'customer_id' }, now);
    // Contacts with the same identities in another workspace. Neither workspace sees those of the other.
    const twins = contacts.slice(0, 200).map(({ attributes, ...contact }) => ({
      ...imported(contact),
      uuid: random.uuid(),
      attributes: { ...attributes, company: 'Known to Acme Labs' },
    }));
    check(await putContacts(new Scope(sister, trx), twins, now));
    const domains = ['northwind.example', 'labs.example'].map((name) => ({ uuid: random.uuid(), name }));
    check(await putDomains(new Scope(sister, trx), domains, now));

    const { token } = await createToken(workspace, within, { name: TOKEN_NAME, role: 'admin' }, now);
    return { workspace, token };
  });
}

/** With their changes. An import that added some unsubscribed is the newest, because times of the log never go back. */
async function putDemoContacts(
  workspace: Workspace,
  within: Writes,
  contacts: readonly Contact[],
  unsubscribes: ReadonlyMap<string, DemoUnsubscribe>,
  now: number,
): Promise<void> {
  const put = (those: readonly Contact[]) =>
    within.write(workspace, async (scope) =>
      check(
        await putContacts(
          scope,
          those.map((contact) => asImported(contact, unsubscribes)),
          now,
        ),
      ),
    );
  const isOut = ({ subscribed, uuid }: Contact) => !subscribed && !unsubscribes.has(uuid);
  await put(contacts.filter((contact) => !isOut(contact)));
  await changeDemoContacts(workspace, within, contacts, unsubscribes, now);
  await put(contacts.filter(isOut));
}

/** A contact as it was before its unsubscribe, which the log has. */
function asImported(contact: Contact, unsubscribes: ReadonlyMap<string, DemoUnsubscribe>): ImportedContact {
  if (contact.subscribed) return imported(contact);
  if (!unsubscribes.has(contact.uuid))
    return { ...imported(contact), suppression: { since: Date.parse(contact.created_at) } };
  const { updated_at: _, ...rest } = imported(contact);
  return { ...rest, subscribed: true };
}

async function putDemoDomains(scope: Scope, now: number): Promise<void> {
  const random = seededRandom(DOMAINS_SEED);
  const domains = demoDomains(random, now);
  check(await putDomains(scope, domains.map(imported), now));
  const addresses = domains.flatMap((domain, index) => demoAddresses(random, domain, index, now));
  check(await putAddresses(scope, addresses.map(imported), now));
}

function imported<Resource extends { created_at: string; updated_at?: string }>(resource: Resource) {
  const { created_at, updated_at, ...rest } = resource;
  const created = Date.parse(created_at);
  return { ...rest, created_at: created, updated_at: updated_at === undefined ? created : Date.parse(updated_at) };
}

function check(outcomes: readonly ImportOutcome[]): void {
  const refused = outcomes.find((outcome) => outcome !== 'added');
  if (refused !== undefined) throw new Error(`The demo holds something the stores refuse: ${JSON.stringify(refused)}`);
}

/** The principal of the demo, for its sign-in link; null when there is no demo, or its token is revoked. */
export async function findDemo(db: Database, now: number): Promise<TokenPrincipal | null> {
  const workspace = (await listWorkspaces(db)).find(({ name }) => name === NAME);
  if (workspace === undefined || workspace.suspended) return null;
  const token = (await readAllTokens(workspace, db)).find(
    ({ name, revoked_at }) => name === TOKEN_NAME && revoked_at === null,
  );
  return token === undefined ? null : findPrincipalByTokenUuid(db, workspace.id, token.uuid, now);
}

const MAILS_SEED = 20_260_404;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Campaigns that went to everybody, and how many days ago. */
const CAMPAIGNS = [
  ['newsletter-118', 2],
  ['black-friday', 9],
  ['newsletter-117', 16],
  ['autumn-2026', 30],
  ['newsletter-116', 44],
  ['win-back', 72],
] as const;

type DatedEvent = ImportedEvent & { created_at: number };

function demoMails(
  contacts: readonly Contact[],
  unsubscribes: ReadonlyMap<string, DemoUnsubscribe>,
  now: number,
): ImportedEvent[] {
  const random = seededRandom(MAILS_SEED);
  return contacts.flatMap((contact) => {
    if (random.chance(0.04)) return [];
    const unsubscribe = unsubscribes.get(contact.uuid);
    const from = Date.parse(contact.created_at);
    const to = unsubscribe?.at ?? now;
    const events = [
      ...CAMPAIGNS.flatMap(([campaign, days]) => mail(random, campaign, now - days * DAY)),
      ...mail(random, 'welcome-3', from + HOUR),
      ...visits(random, to),
    ].filter(({ created_at }) => created_at >= from && created_at < to);
    if (unsubscribe !== undefined && unsubscribe.event !== null) {
      const attributes = { campaign: random.pick(CAMPAIGNS)[0], reason: unsubscribe.text };
      events.push({ contact: '', event_name: unsubscribe.event, attributes, created_at: to - 2000 });
    }
    return events.map((event) => ({ ...event, contact: contact.uuid, uuid: random.uuid() }));
  });
}

function mail(random: Random, campaign: string, sent: number): DatedEvent[] {
  const event = (event_name: string, after: number, more: object = {}): DatedEvent => {
    return { contact: '', event_name, attributes: { campaign, ...more }, created_at: Math.floor(sent + after) };
  };
  const arrived = random.below(40 * MINUTE);
  if (random.chance(0.03)) return [event('email_bounced', arrived, { code: '4.2.2', diagnostic: 'Mailbox is full.' })];
  const events = [event('email_delivered', arrived)];
  if (random.chance(0.55)) return events;
  const opened = arrived + random.next() ** 3 * 2 * DAY;
  events.push(event('email_opened', opened, { client: random.pick(['Apple Mail', 'Gmail', 'Outlook']) }));
  if (random.chance(0.3)) {
    const link = `https://www.example.com/offer/${random.below(40)}`;
    events.push(event('email_clicked', opened + random.below(5 * MINUTE), { link }));
  }
  return events;
}

function visits(random: Random, to: number): DatedEvent[] {
  return Array.from({ length: Math.floor(random.next() ** 3 * 24) }, () => {
    const created_at = Math.floor(to - random.next() ** 4 * 200 * DAY) - 1;
    return random.chance(0.3)
      ? { contact: '', event_name: 'login', attributes: { method: random.pick(['password', 'passkey']) }, created_at }
      : {
          contact: '',
          event_name: 'page_viewed',
          attributes: { url: `https://www.example.com/${random.pick(['pricing', 'blog', 'docs'])}` },
          created_at,
        };
  });
}
