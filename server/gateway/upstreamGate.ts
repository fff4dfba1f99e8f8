import { createHmac, randomBytes } from 'node:crypto';
import { checkDomain } from '#contract/additions.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery } from '#contract/list.ts';
import { bearerToken, unauthorized, unknownToken } from '../http/auth.ts';
import type { Gate } from '../http/gate.ts';
import type { MemorySessions } from './memorySessions.ts';
import type { Upstream } from './upstream.ts';

/** Who calls: the token for the service, and what stands for it in log and limits until the process ends. */
export type Caller = { token: { uuid: string }; bearer: string };

export type UpstreamSession = Caller & { statedWorkspace: string | null };

/** The gate of a gateway. Only the service knows whose a token is: who shows one gets in, and is refused there. */
export function upstreamGate(
  upstream: Upstream,
  sessions: MemorySessions<UpstreamSession>,
  withAdditions: boolean,
): Gate<UpstreamSession> {
  const key = randomBytes(32);
  const callerOf = (bearer: string): Caller => ({
    bearer,
    token: { uuid: createHmac('sha256', key).update(bearer).digest('hex').slice(0, 32) },
  });

  return {
    accessOf: (token) => Promise.resolve(callerOf(token)),
    signIn: async ({ credentials, earlier, requestId, address, admit }) => {
      if ('code' in credentials) throw unauthorized('A gateway has no sign-in links. Use an access token.');
      const bearer = bearerToken(`Bearer ${credentials.token}`);
      if (bearer === null) throw unknownToken();
      const caller = callerOf(bearer);
      await admit(caller);
      // The smallest question that only a token of the service gets an answer to.
      await upstream.read(listDomains, {
        params: {},
        search: formatListQuery({ page: 1, per_page: 1 }).toString(),
        bearer,
        address,
        requestId,
        signal: new AbortController().signal,
      });
      const session = { ...caller, statedWorkspace: credentials.workspace?.trim() || null };
      return { session, secret: sessions.open(bearer, session, earlier) };
    },
    findSession: (secret) => Promise.resolve(sessions.find(secret)),
    endSession: (secret) => Promise.resolve(sessions.end(secret)),
    describe: ({ statedWorkspace }) => ({
      data: {
        workspace_uuid: statedWorkspace,
        name: null,
        identity_field: null,
        capabilities: withAdditions ? [checkDomain.id] : [],
      },
    }),
  };
}
