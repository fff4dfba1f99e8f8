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
import { demoAddresses, demoDomains } from './demoDomains.ts';
import { demoEvents } from './demoEvents.ts';
import { demoMails } from './demoMails.ts';
import { type DemoUnsubscribe, demoUnsubscribes } from './demoUnsubscribes.ts';
import { seededRandom } from './seededRandom.ts';

const SEED = 20_260_401;
/** A separate seed, so that the DNS of the demo can create the domains without the rest. */
export const DOMAINS_SEED = SEED + 1;
const NAME = 'Acme Mail (demo)';
const SECOND_WORKSPACE_NAME = 'Acme Labs (demo)';
const TOKEN_NAME = 'demo';
const CONTACTS = 2000;
/** Numbers of events of the first contacts. */
const EVENTS = [25_000, 3, 480, 120, 60, 37, 24, 12, 8, 1];

/** Other contacts at once, by one statement. */
const EVENTS_AT_ONCE = 5000;

/** Writes in one transaction. */
type Writes = Pick<Database, 'write'> & { readonly unscoped: Pick<Database['unscoped'], 'write'> };

/**
 * Fills a database with two workspaces that share identities and nothing else. Returns the first one with an access
 * token, or null when the demo exists already. The data are seeded, relative to `now`, and written through the stores.
 */
export function makeDemo(db: Database, now: number): Promise<{ workspace: Workspace; token: string } | null> {
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
    check(
      await putContacts(
        new Scope(workspace, trx),
        contacts.map((contact) => asImported(contact, unsubscribes)),
        now,
      ),
    );
    for (const [index, count] of EVENTS.entries()) {
      const contact = must(contacts[index]).uuid;
      const events = demoEvents(random, count, now).map((event) => ({ ...imported(event), contact }));
      check(await putEvents(new Scope(workspace, trx), events, now));
    }
    const mails = demoMails(contacts.slice(EVENTS.length), unsubscribes, now);
    for (const events of chunks(mails, EVENTS_AT_ONCE)) check(await putEvents(new Scope(workspace, trx), events, now));
    await changeDemoContacts(workspace, within, contacts, unsubscribes, now);
    await putDemoDomains(new Scope(workspace, trx), now);

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

/** A contact as it was before its unsubscribe, which the log has. */
function asImported(contact: Contact, unsubscribes: ReadonlyMap<string, DemoUnsubscribe>): ImportedContact {
  if (!unsubscribes.has(contact.uuid)) return imported(contact);
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

/** A resource with its times as milliseconds, as the stores take them. */
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
