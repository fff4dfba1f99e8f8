import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Domain } from '#contract/domains/domain.ts';
import type { CheckLine } from '#contract/domains/dnsCheck.ts';
import {
  checkSharedDomain,
  getSharedDomain,
  type SharedCheckLine,
  type SharedDomain,
} from '#contract/domains/sharedLinks.ts';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/timestamp.ts';
import { idOf, parseBearerToken } from '../../http/authentication/auth.ts';
import { enforce, type RequestAuthentication } from '../../http/authentication/requestAuthentication.ts';
import { ProblemError } from '../../http/problems.ts';
import { createDisconnectSignal, onceOutdated, sendJson, sendNdjson, whileAllowed } from '../../http/serve.ts';
import { followStored, type StoredChecks, throwTooManyChecks } from '../checks/liveChecks.ts';
import { type DomainToCheck, getDomainToCheck } from '../store.ts';
import { findSharedLink, type OpenedLink } from './findSharedLink.ts';
import { recordOpening } from './sharedLinks.ts';

/** Requests of a link a minute, regardless of settings. The page checks every 20 seconds. */
const READS_MAX = 60;
const CHECKS_MAX = 12;

const NO_LINK = 'This link has expired or was revoked. Ask the person who sent it for a new one.';

type Dependencies = {
  stored: StoredChecks;
  authentication: Pick<RequestAuthentication, 'countFailedAuthentication'>;
  now: () => number;
};

const keyGenerator = ({ principal, routeOptions }: FastifyRequest) =>
  `link ${principal && idOf(principal)} ${routeOptions.url}`;

type Shared = { link: OpenedLink; checked: DomainToCheck };

async function findLinkOf({ headers }: FastifyRequest, database: Database, now: number): Promise<OpenedLink | null> {
  const secret = parseBearerToken(headers.authorization ?? '');
  return secret === null ? null : findSharedLink(database, secret, now);
}

/** What the page of a shared link calls. Without a session: the secret of the link is a bearer token. */
export function registerSharedPage(app: FastifyInstance, { stored, authentication, now }: Dependencies): void {
  const { database } = stored;
  const reads = app.createRateLimit({ max: READS_MAX, keyGenerator });
  const checking = app.createRateLimit({ max: CHECKS_MAX, keyGenerator });

  const find = (request: FastifyRequest) => findLinkOf(request, database, now());

  /** Throws a `ProblemError`: the same for each link that doesn't work, and for one of a domain that is gone. */
  async function open(request: FastifyRequest, reply: FastifyReply): Promise<Shared> {
    reply.header('x-robots-tag', 'noindex');
    const link = await find(request);
    const checked = link && (await getDomainToCheck(link.workspace, database, link.domainUuid));
    if (link === null || checked === null) {
      await authentication.countFailedAuthentication(request);
      throw new ProblemError(404, NO_LINK);
    }
    // For the log of requests.
    request.principal = { token: { uuid: link.uuid }, workspace: link.workspace };
    return { link, checked };
  }

  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    app.overloadControl.rejectIfOverloaded('read', request.headers);
    done();
  };

  app.route({
    method: getSharedDomain.method,
    url: getSharedDomain.path,
    config: { kind: 'read' },
    onRequest,
    handler: async (request, reply) => {
      const { link, checked } = await open(request, reply);
      const { domain } = checked;
      await enforce(reads, request, 'requests');
      if (!link.isOpened) await recordOpening(database, link, domain.name, { now: now(), requestId: request.id });
      return sendJson(reply, { data: describe(domain, link) });
    },
  });

  app.route({
    method: checkSharedDomain.method,
    url: checkSharedDomain.path,
    config: { kind: 'read' },
    onRequest,
    handler: async (request, reply) => {
      const { link, checked } = await open(request, reply);
      await enforce(checking, request, 'checks');
      // Shared with the console's checks, so that links query the DNS no more often than one reader.
      const lines =
        followStored(stored, link.workspace, checked, createDisconnectSignal(reply)) ?? throwTooManyChecks();
      const checkAgain = onceOutdated(reply, async () => {
        if ((await find(request)) === null) throw new ProblemError(404, NO_LINK);
      });
      return sendNdjson(reply, selectLines(whileAllowed(lines, checkAgain)));
    },
  });
}

function describe({ name, dns }: Domain, { expiresAt }: OpenedLink): SharedDomain {
  const records = dns.map(({ type, name, value }) => ({ type, name, value }));
  return { name, records, expires_at: timestamp(expiresAt) };
}

/** Only the records: advice and the domain name what else the workspace has. */
async function* selectLines(lines: AsyncIterable<CheckLine>): AsyncGenerator<SharedCheckLine, void, void> {
  for await (const line of lines) {
    if (line.kind === 'end') yield { kind: 'end', checked_at: line.checked_at };
    if (line.kind !== 'record') continue;
    const { type, name, value } = line.record;
    const { result, found, diagnosis, turn, fix, until } = line.finding;
    yield {
      kind: 'record',
      index: line.index,
      record: { type, name, value },
      finding: { result, found, diagnosis, turn, fix, until },
    };
  }
}
