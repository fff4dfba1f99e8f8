import type { Database } from '../database/database.ts';
import { admit } from '../members/admit.ts';
import type { AccessWriteBuffer } from '../sessions/accessWriteBuffer.ts';
import type { AskedSession, RenewSession } from '../sessions/store.ts';
import type { Log } from '../settings/log.ts';
import { type Provider, ProviderError } from './provider.ts';
import type { Seal } from './seal.ts';

/** Milliseconds that a session continues while the provider doesn't respond. */
export const GRACE_MS = 60 * 60_000;
/** Milliseconds until it's asked again, perhaps by another process. */
const RETRY_MS = 60_000;

type Dependencies = {
  database: Database;
  accessWrites: AccessWriteBuffer;
  provider: Provider;
  seal: Seal;
  now: () => number;
  log: Log;
};

/** Of several requests and processes one asks; others wait for it here, and go on meanwhile elsewhere. False ends the session. */
export function createRenewal({ database, accessWrites, provider, seal, now, log }: Dependencies): RenewSession {
  const running = new Map<string, Promise<boolean>>();

  async function ask(session: AskedSession, dueAt: number): Promise<boolean> {
    const { hash, ask_again_at, person } = session;
    let refresh_token = accessWrites.refreshTokenOf(hash) ?? session.refresh_token;
    const refreshToken = refresh_token === null ? null : seal.open(refresh_token, person.uuid);
    if (refreshToken === null) return false;
    const time = now();
    const mayGoOn = time < dueAt + GRACE_MS;
    if (time < ask_again_at || !(await claim(database, session, time + RETRY_MS))) return mayGoOn;
    try {
      const account = await provider.refresh({ refreshToken, subject: person.subject }, (next) => {
        refresh_token = seal.close(next, person.uuid);
        // The previous one may be refused from now on, so this one is stored as soon as the database accepts writes.
        accessWrites.recordRefreshToken(hash, refresh_token);
      });
      if (account === 'removed') {
        log.warn({ person: person.uuid, refusal: 'provider_refused' }, 'the provider does not know a person any more');
        return false;
      }
      const occasion = { now: time, requestId: null };
      // Without admission the membership ends, and with it the session.
      if (account !== null) await admit(database, account, occasion);
      // The refresh token shows processes that read the session earlier that they're too late.
      await update(database, hash, { asked_at: time, ask_again_at: 0, refresh_token });
      return true;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { refusal } = error;
      log.warn({ err: error, person: person.uuid, refusal }, 'the provider was asked again for a person, in vain');
      // The next request reads it with the session.
      if (refresh_token !== session.refresh_token) await update(database, hash, { refresh_token });
      return mayGoOn;
    }
  }

  return (session, dueAt) =>
    running.getOrInsertComputed(session.hash, () => ask(session, dueAt).finally(() => running.delete(session.hash)));
}

/** False if another process was faster; after its success only the refresh token differs. */
async function claim(
  database: Database,
  { hash, ask_again_at, refresh_token }: AskedSession,
  until: number,
): Promise<boolean> {
  const rows = await database.unscoped.write((trx) =>
    trx
      .updateTable('sessions')
      .set({ ask_again_at: until })
      .where('hash', '=', hash)
      .where('ask_again_at', '=', ask_again_at)
      .where('refresh_token', '=', refresh_token)
      .returning('hash')
      .execute(),
  );
  return rows.length > 0;
}

async function update(
  database: Database,
  hash: string,
  values: { refresh_token: string | null; asked_at?: number; ask_again_at?: number },
): Promise<void> {
  await database.unscoped.write((trx) => trx.updateTable('sessions').set(values).where('hash', '=', hash).execute());
}
