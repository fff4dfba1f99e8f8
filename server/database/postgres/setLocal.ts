import { sql } from 'kysely';
import type { Scope } from '../scope.ts';

/** Makes settings of the server until the transaction ends. */
export async function setLocal(scope: Scope, settings: Readonly<Record<string, string>>): Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  await scope.run(sql`select ${sql.join(calls)}`);
}
