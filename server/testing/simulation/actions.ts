import type { Rules } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import { subscribeContact, unsubscribeContact } from '../../contacts/store.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { acceptFault, endAcceptance } from '../../domains/history/acceptances.ts';
import { updateDomain } from '../../domains/history/updateDomain.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { getDomain } from '../../domains/store.ts';
import { createDestination } from '../../notifications/destinations.ts';
import { eraseContact } from '../../privacy/erase.ts';
import { CALLER } from '../testDatabase.ts';
import type { World } from './recording.ts';
import { type Action, DAY, MINUTE } from './script.ts';
import { listedRecords } from './world.ts';

const NOTHING: Rules = { incidents: [], contact_changes: false, digest: false, heartbeat: false };

export async function addDestination(world: World, name: string, rules: Partial<Rules>): Promise<void> {
  const { workspace, db, now, receiverUrl, recording } = world;
  const given = { kind: 'webhook' as const, name, address: receiverUrl + name, rules: { ...NOTHING, ...rules } };
  const senders = { mailer: null, isAllowed: () => true, consoleUrl: null };
  const { destination } = await createDestination(workspace, db, given, senders, { now, author: COMMAND });
  recording.destinations.push({ uuid: destination.uuid, name, rules: given.rules, createdAt: now });
}

/** What people do, except that they look. */
export async function act(world: World, action: Action): Promise<void> {
  if (action.what === 'rotate') await rotate(world, action.domain);
  if (action.what === 'accept') await accept(world, action.domain);
  if (action.what === 'end acceptance') await takeBack(world, action.domain);
  if (action.what === 'contact') await changeContact(world, action.contact, action.change);
  if (action.what === 'add destination') {
    await addDestination(world, 'late', { incidents: [{ turns: ['owner'] }, { kinds: ['weak'] }] });
  }
  if (action.what !== 'bulk') return;
  const { uuid } = must(world.domains[action.domain]);
  await updateDomain(world.workspace, world.db, uuid, { sends_bulk: action.isOn }, COMMAND, world.now);
}

/** The provider signs with another key: its record takes the place of the old one. */
async function rotate({ script, workspace, db, now, domains, recording }: World, index: number): Promise<void> {
  const { uuid, name, selectors } = must(domains[index]);
  const old = must(selectors.at(-1));
  const next = `k${Number(old.slice(1)) + 1}`;
  const { dns } = must(await getDomain(workspace, db, uuid));
  const stored = new Map(dns.map((record) => [record.name, record.is_valid]));
  const records = listedRecords(must(script.domains[index]), next);
  const listed = records.map((record) => ({ ...record, is_valid: stored.get(record.name) ?? false }));
  const [outcome] = await db.write(workspace, (scope) => putDomains(scope, [{ uuid, name, dns: listed }], now));
  if (outcome !== 'changed') throw new Error(`Not imported: ${JSON.stringify(outcome)}`);
  selectors.splice(0, Infinity, old, next);
  const looks = recording.looks.get(uuid)?.length ?? 0;
  recording.imports.push({ at: now, looks, domain: uuid, left: `CNAME ${old}._domainkey.${name}` });
}

const ACCEPTED_FOR = [3, 20, 90];

/** Accepts what the last look found wrong, if it did. */
async function accept({ workspace, db, now, domains, recording }: World, index: number): Promise<void> {
  const { uuid } = must(domains[index]);
  const looks = recording.looks.get(uuid) ?? [];
  const left = new Set(recording.imports.flatMap((one) => (one.domain === uuid ? one.left : [])));
  const wrong = [...(looks.at(-1)?.seen ?? [])]
    .filter(([subject, { result }]) => (result === 'fail' || result === 'warn') && !left.has(subject))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const [subject, fault] = wrong[0] ?? [];
  if (subject === undefined || fault === undefined) return;
  const days = must(ACCEPTED_FOR[index % ACCEPTED_FOR.length]);
  const { code, found } = fault;
  const until = now + days * DAY * MINUTE;
  const outcome = await acceptFault(workspace, db, uuid, { subject, code, reason: 'known', until }, COMMAND, now);
  if (outcome === 'other' || outcome === null) throw new Error(`${subject} is not wrong any more.`);
  const accepted = { at: now, looks: looks.length, domain: uuid, subject, code, found, until, takenBack: null };
  recording.acceptances.push(accepted);
}

async function takeBack({ workspace, db, now, domains, recording }: World, index: number): Promise<void> {
  const { uuid } = must(domains[index]);
  const row = await db.read(workspace, (scope) =>
    scope
      .select('acceptances')
      .selectAll()
      .where('domain_uuid', '=', uuid)
      .where('ended_at', 'is', null)
      .executeTakeFirst(),
  );
  if (row === undefined) return;
  await endAcceptance(workspace, db, row.uuid, COMMAND, now);
  const accepted = recording.acceptances.findLast((one) => one.domain === uuid && one.subject === row.subject);
  must(accepted).takenBack = now;
}

async function changeContact(
  { workspace, db, now, contacts, recording }: World,
  index: number,
  change: 'unsubscribe' | 'subscribe' | 'erase',
): Promise<void> {
  const contact = must(contacts[index]);
  const { uuid, isErased } = contact;
  if (isErased) return;
  const told = (type: string) => recording.contactChanges.push({ at: now, contact: uuid, type });
  if (change === 'erase') {
    await eraseContact(workspace, db, uuid, { identity: null }, COMMAND, now);
    contact.isErased = true;
    told('contact.erased');
    return;
  }
  const isSubscribed = change === 'subscribe';
  if (contact.isSubscribed === isSubscribed) return;
  if (isSubscribed) await subscribeContact(workspace, db, uuid, 'They asked.', CALLER, now);
  else await unsubscribeContact(workspace, db, uuid, CALLER, now);
  contact.isSubscribed = isSubscribed;
  told(isSubscribed ? 'contact.subscribed' : 'contact.unsubscribed');
}
