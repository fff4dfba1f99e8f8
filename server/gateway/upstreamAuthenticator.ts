import { createHmac, randomBytes } from 'node:crypto';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery } from '#contract/list.ts';
import {
  parseBearerToken,
  unauthorizedProblem,
  unknownTokenProblem,
  type Authenticator,
} from '../http/authentication/auth.ts';
import type { MemorySessions } from './memorySessions.ts';
import type { Upstream } from './upstream.ts';

/** The token for the service, and a UUID in its place for log and limits, until the process ends. */
export type UpstreamPrincipal = { token: { uuid: string }; bearer: string };

export type UpstreamSession = UpstreamPrincipal & { statedWorkspace: string | null };

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
      if ('code' in credentials)
        throw unauthorizedProblem("Gateways don't support sign-in links. Use an access token.");
      const bearer = parseBearerToken(`Bearer ${credentials.token}`);
      if (bearer === null) throw unknownTokenProblem();
      const principal = toPrincipal(bearer);
      await authorize(principal);
      // The smallest request that needs a valid token.
      await upstream.read(listDomains, {
        params: {},
        search: formatListQuery({ page: 1, per_page: 1 }).toString(),
        bearer,
        address: clientAddress,
        requestId,
        signal: new AbortController().signal,
      });
      const session = { ...principal, statedWorkspace: credentials.workspace?.trim() || null };
      return { session, secret: sessions.open(bearer, session, previousSecret) };
    },
    findSession: (secret) => Promise.resolve(sessions.find(secret)),
    findSessionAtHand: (secret) => Promise.resolve(sessions.find(secret)),
    endSession: (secret) => Promise.resolve(sessions.end(secret)),
    toSessionResult: ({ statedWorkspace }) => ({
      data: {
        workspace_uuid: statedWorkspace,
        name: null,
        identity_field: null,
        role: null,
        capabilities: withAdditions ? [checkDomain.id] : [],
        person: null,
        workspaces: [],
      },
    }),
  };
}
