import type { Contact } from '#contract/contact.ts';
import { subscribeContact, unsubscribeContact, updateContact } from '../contacts/store.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Caller } from '../database/workspace.ts';
import { createToken } from '../workspaces/store.ts';
import { type Random, seededRandom } from './seededRandom.ts';

const SEED = 20_260_402;

/** Changes some contacts before `now`. The first is unsubscribed by mistake and subscribed again. */
export async function changeDemoContacts(
  workspace: Workspace,
  db: Pick<Database, 'write'> & { readonly unscoped: Pick<Database['unscoped'], 'write'> },
  contacts: readonly Contact[],
  now: number,
): Promise<void> {
  const random = seededRandom(SEED);
  const support = await callerOf(workspace, db, 'support desk', random, now);
  const crm = await callerOf(workspace, db, 'crm-sync', random, now);

  const [busiest, ...others] = contacts;
  if (busiest === undefined) return;
  const at = timesOf(busiest, now);
  await updateContact(workspace, db, busiest.uuid, { plan: 'enterprise', seats: 40 }, crm(), at(0.2));
  await unsubscribeContact(workspace, db, busiest.uuid, support(), at(0.5));
  const reason = 'Wrong row: the ticket was about another Grace, who is unsubscribed now.';
  await subscribeContact(workspace, db, busiest.uuid, reason, support(), at(0.51));
  await updateContact(workspace, db, busiest.uuid, { seats: 55 }, crm(), at(0.9));

  for (const contact of others.slice(200, 240)) {
    const at = timesOf(contact, now);
    const company = random.pick(['Northwind', 'Globex', 'Blue Harbour']);
    await updateContact(workspace, db, contact.uuid, { company, plan: random.pick(['free', 'team']) }, crm(), at(0.3));
    if (random.chance(0.3)) await unsubscribeContact(workspace, db, contact.uuid, support(), at(0.6));
  }
}

/** Creates a token, and returns a function that makes requests with it. */
async function callerOf(
  workspace: Workspace,
  db: Pick<Database, 'write'> & { readonly unscoped: Pick<Database['unscoped'], 'write'> },
  name: string,
  random: Random,
  now: number,
): Promise<() => Caller> {
  const { uuid } = await createToken(workspace, db, name, now);
  return () => ({ token: { uuid, name }, requestId: random.uuid() });
}

/** Returns a function from a share (0 to 1) to a time between the last update of the contact and `now`. */
function timesOf({ updated_at }: Contact, now: number): (share: number) => number {
  const updated = Date.parse(updated_at);
  return (share) => Math.floor(updated + (now - updated) * share);
}
