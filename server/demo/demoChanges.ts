import type { Contact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { Role } from '#contract/role.ts';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';
import { addEntries, keepRun } from '../contacts/runs/runs.ts';
import { subscribeContact, unsubscribeContact, updateContact } from '../contacts/store.ts';
import { createView } from '../contacts/views/savedViews.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Caller } from '../database/workspace.ts';
import { createToken } from '../workspaces/store.ts';
import { type DemoUnsubscribe, TICKET, UNSUBSCRIBING_TOKENS } from './demoUnsubscribes.ts';
import { type Random, seededRandom } from './seededRandom.ts';

const SEED = 20_260_402;
const MINUTE = 60_000;

const VIEW = { name: 'Enterprise', query: 'filter=plan%3Aenterprise', shared: true };

type Change = { at: number; apply: (at: number) => Promise<unknown> };

/** In the order of time. The first contact is unsubscribed by mistake and subscribed again. */
export async function changeDemoContacts(
  workspace: Workspace,
  db: Pick<Database, 'write'> & { readonly unscoped: Pick<Database['unscoped'], 'write'> },
  contacts: readonly Contact[],
  unsubscribes: ReadonlyMap<string, DemoUnsubscribe>,
  now: number,
): Promise<void> {
  const random = seededRandom(SEED);
  const callers = new Map<string, () => Caller>();
  // First, because the log is in order of time.
  const begin = Math.min(...contacts.map(({ created_at }) => Date.parse(created_at)));
  for (const [name, role] of Object.entries(UNSUBSCRIBING_TOKENS))
    callers.set(name, await callerOf(workspace, db, { name, role }, random, begin));
  const [support, crm] = [must(callers.get('support desk')), must(callers.get('crm-sync'))];

  const changes: Change[] = [];
  const unsubscribe = (uuid: string, at: number, caller: () => Caller, said: Unsubscription) =>
    changes.push({ at, apply: (time) => unsubscribeContact(workspace, db, uuid, caller(), time, said) });
  const update = (uuid: string, at: number, attributes: Attributes) =>
    changes.push({ at, apply: (time) => updateContact(workspace, db, uuid, attributes, crm(), time) });

  const busiest = must(contacts[0]);
  const at = timesOf(busiest, now);
  update(busiest.uuid, at(0.2), { plan: 'enterprise', seats: 40 });
  unsubscribe(busiest.uuid, at(0.5), support, { reason: 'request', origin: 'support' });
  const reason = 'Wrong row: the ticket was about another Grace, who is unsubscribed now.';
  changes.push({
    at: at(0.51),
    apply: (time) => subscribeContact(workspace, db, busiest.uuid, reason, support(), time),
  });
  update(busiest.uuid, at(0.9), { seats: 55 });

  for (const contact of contacts.slice(201, 241)) {
    const company = random.pick(['Northwind', 'Globex', 'Blue Harbour']);
    update(contact.uuid, timesOf(contact, now)(0.3), { company, plan: random.pick(['free', 'team']) });
  }
  for (const [index, contact] of contacts.slice(241, 253).entries()) {
    update(contact.uuid, now - Math.floor((index + random.next()) * 50) * MINUTE, {
      plan: random.pick(['team', 'scale']),
      seats: 1 + random.below(30),
    });
  }
  const run = random.uuid();
  for (const [uuid, { at, token, said, isListed }] of unsubscribes) {
    const caller = must(callers.get(token));
    unsubscribe(uuid, at, isListed ? () => ({ ...caller(), run }) : caller, said);
  }
  changes.push(beginList(workspace, db, run, unsubscribes, support));
  changes.push({
    at: now - 3 * 24 * 60 * MINUTE,
    apply: (time) => createView(workspace, db, VIEW, { now: time, author: authorOf(support()), isAdmin: false }),
  });

  for (const { at, apply } of changes.toSorted((one, other) => one.at - other.at)) await apply(at);
  await noteUses(workspace, db);
}

/** Before its contacts are unsubscribed. One of its entries names nobody. */
function beginList(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  run: string,
  unsubscribes: ReadonlyMap<string, DemoUnsubscribe>,
  caller: () => Caller,
): Change {
  const listed = [...unsubscribes].filter(([, { isListed }]) => isListed);
  const entries = [...listed.map(([uuid]) => [uuid]), ['left@example.com']];
  return {
    at: Math.min(...listed.map(([, { at }]) => at)) - MINUTE,
    apply: async (time) => {
      const by = { now: time, author: authorOf(caller()) };
      await keepRun(workspace, db, { uuid: run, entries: entries.length, reason: 'request', ticket: TICKET }, by);
      await addEntries(workspace, db, run, { from: 0, entries }, by);
    },
  };
}

async function noteUses(workspace: Workspace, db: Pick<Database, 'write'>): Promise<void> {
  await db.write(workspace, async (scope) => {
    const uses = await scope
      .select('changes')
      .select(({ fn }) => ['actor', fn.max('created_at').as('last')])
      .where('actor_kind', '=', 'token')
      .groupBy('actor')
      .execute();
    for (const { actor, last } of uses) {
      const used_at = last - (last % (24 * 60 * MINUTE));
      await scope.update('tokens').set({ used_at }).where('uuid', '=', actor).execute();
    }
  });
}

async function callerOf(
  workspace: Workspace,
  db: Pick<Database, 'write'> & { readonly unscoped: Pick<Database['unscoped'], 'write'> },
  { name, role }: { name: string; role: Role },
  random: Random,
  at: number,
): Promise<() => Caller> {
  const { uuid } = await createToken(workspace, db, { name, role }, at);
  return () => ({ token: { uuid, name }, requestId: random.uuid() });
}

function timesOf({ updated_at }: Contact, now: number): (share: number) => number {
  const updated = Date.parse(updated_at);
  return (share) => Math.floor(updated + (now - updated) * share);
}
