import { createHmac, randomBytes } from 'node:crypto';
import { checkDomain } from '#contract/additions.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery } from '#contract/list.ts';
import { parseBearerToken, unauthorizedProblem, unknownTokenProblem } from '../http/auth.ts';
import type { Authenticator } from '../http/authenticator.ts';
import type { MemorySessions } from './memorySessions.ts';
import type { Upstream } from './upstream.ts';

/** Who calls: the token for the service, and what stands for it in log and limits until the process ends. */
export type UpstreamPrincipal = { token: { uuid: string }; bearer: string };

export type UpstreamSession = UpstreamPrincipal & { statedWorkspace: string | null };

/** The gate of a gateway. Only the service knows whose a token is: who shows one gets in, and is refused there. */
export function upstreamAuthenticator(
  upstream: Upstream,
  sessions: MemorySessions<UpstreamSession>,
  withAdditions: boolean,
): Authenticator<UpstreamSession> {
  const key = randomBytes(32);
  const toPrincipal = (bearer: string): UpstreamPrincipal => ({
    bearer,
    token: { uuid: createHmac('sha256', key).update(bearer).digest('hex').slice(0, 32) },
  });

  return {
    authenticate: (token) => Promise.resolve(toPrincipal(token)),
    signIn: async ({ credentials, previousSecret, requestId, clientAddress, authorize }) => {
      if ('code' in credentials) throw unauthorizedProblem('A gateway has no sign-in links. Use an access token.');
      const bearer = parseBearerToken(`Bearer ${credentials.token}`);
      if (bearer === null) throw unknownTokenProblem();
      const caller = toPrincipal(bearer);
      await authorize(caller);
      // The smallest question that only a token of the service gets an answer to.
      await upstream.read(listDomains, {
        params: {},
        search: formatListQuery({ page: 1, per_page: 1 }).toString(),
        bearer,
        address: clientAddress,
        requestId,
        signal: new AbortController().signal,
      });
      const session = { ...caller, statedWorkspace: credentials.workspace?.trim() || null };
      return { session, secret: sessions.open(bearer, session, previousSecret) };
    },
    findSession: (secret) => Promise.resolve(sessions.find(secret)),
    endSession: (secret) => Promise.resolve(sessions.end(secret)),
    toSessionResult: ({ statedWorkspace }) => ({
      data: {
        workspace_uuid: statedWorkspace,
        name: null,
        identity_field: null,
        capabilities: withAdditions ? [checkDomain.id] : [],
      },
    }),
  };
}
