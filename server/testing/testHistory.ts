import { randomUUID } from 'node:crypto';
import { putContacts, subscribeContact, unsubscribeContact, updateContact } from '../contacts/store.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { seededRandom } from '../demo/seededRandom.ts';
import { createToken, createWorkspace, revokeToken } from '../workspaces/store.ts';
import { NOW } from './testDatabase.ts';

/** Changes of some contacts and tokens, `stepMs` apart. */
export async function createHistory(db: Database, seed: number, steps: number, stepMs = 1000): Promise<Workspace> {
  const random = seededRandom(seed);
  const workspace = await createWorkspace(db, { name: 'Acme', identity_field: null }, NOW);
  const emails = Array.from({ length: 4 }, (_, index) => `p${index}@x.test`);
  const put = (some: readonly string[], now: number, subscribed = true) =>
    db.write(workspace, (scope) =>
      putContacts(
        scope,
        some.map((email) => ({ attributes: { email, seats: random.below(4) }, subscribed })),
        now,
      ),
    );
  await put(emails, NOW);
  const tokens: { uuid: string; name: string }[] = [];
  const run = randomUUID();
  for (let step = 0; step < steps; step++) {
    // Now and then the clock is set back.
    const now = NOW + step * stepMs - (random.chance(0.1) ? 60_000 : 0);
    const email = random.pick(emails);
    const token = random.pick([...tokens, null]);
    const caller = {
      token: token ?? { uuid: randomUUID(), name: 'crm ♥' },
      requestId: randomUUID(),
      run: random.chance(0.3) ? run : null,
    };
    const act = random.below(6);
    if (act === 0) await unsubscribeContact(workspace, db, email, caller, now);
    else if (act === 1) await subscribeContact(workspace, db, email, 'They asked: "yes" \u2028 ü', caller, now);
    else if (act === 2) await put([random.pick(emails), random.pick(emails)], now, random.chance(0.5));
    else if (act === 3)
      tokens.push({
        name: `t${step}`,
        ...(await createToken(workspace, db, { name: `t${step}`, role: 'support' }, now)),
      });
    else if (act === 4 && token !== null) await revokeToken(workspace, db, token.uuid, now);
    else await updateContact(workspace, db, email, { note: `${step}\t"é"`, seats: random.below(3) }, caller, now);
  }
  return workspace;
}
