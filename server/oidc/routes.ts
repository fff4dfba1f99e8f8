import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseJson } from '#contract/values/json.ts';
import { ACCOUNT_SIGN_IN_PATH, type Refusal } from '#contract/session.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { RequestAuthentication } from '../http/authentication/requestAuthentication.ts';
import type { RawQuery } from '../http/serve.ts';
import { cookieName, cookieOptions } from '../http/authentication/sessionCookie.ts';
import { type Account, admit } from '../members/admit.ts';
import type { AccessLog, RefusedSignIn } from '../sessions/accessLog.ts';
import { PERSON_SESSION_LIFETIME_MS } from '../sessions/sessionLimits.ts';
import { openPersonSession } from '../sessions/store.ts';
import { type Config, publicPath } from '../settings/config.ts';
import { Attempts } from './attempts.ts';
import { CALLBACK_PATH, type Flow, type Provider, ProviderError } from './provider.ts';
import type { Seal } from './seal.ts';

const FLOW_LIFETIME_MS = 10 * 60_000;
/** Unfinished sign-ins of one browser; one more ends the oldest. */
const FLOWS_MAX = 4;

type Dependencies = {
  config: Config;
  database: Database;
  provider: Provider;
  seal: Seal;
  accessLog: AccessLog;
  authentication: RequestAuthentication;
  countOpened: () => void;
  now: () => number;
};

/** A browser doesn't send its session along when another site sends it back, so the flow has its secret. */
type KeptFlow = Flow & { returnPath: string; at: number; previousSecret?: string | undefined };

const REASONS: Partial<Record<Refusal, RefusedSignIn>> = {
  not_invited: 'not invited',
  email_not_verified: 'email not verified',
  suspended: 'workspace suspended',
};

const isFailure = (error: unknown) => error instanceof ProviderError && error.refusal !== 'provider_unreachable';

export function registerAccountRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { config, provider, seal, authentication, countOpened, now } = dependencies;
  const base = publicPath(config);
  const sessionCookie = cookieName(config);
  const prefix = `${sessionCookie}-account-`;
  const attempts = new Attempts();
  // Lax: the provider is another site, and sends the browser back by a link.
  const flowOptions: CookieSerializeOptions = { ...cookieOptions(config, FLOW_LIFETIME_MS), sameSite: 'lax' };

  const { readFlow, makeRoom } = createFlows({ seal, now, prefix, flowOptions });

  /** Logs why the provider failed, and shows it on the sign-in page. */
  const register = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
    app.route({
      method: 'GET',
      url,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        try {
          return await handler(request, reply);
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error;
          const { refusal } = error;
          const reason = refusal.replaceAll('_', ' ');
          app.log.warn({ err: error, refusal, request_id: request.id }, `a sign-in with an account failed: ${reason}`);
          if (refusal !== 'provider_unreachable') await authentication.countFailedAuthentication(request);
          return reply.redirect(`${base}/sign-in#refused=${refusal}`, 303);
        }
      },
    });

  register(ACCOUNT_SIGN_IN_PATH, async (request, reply) => {
    const returnPath = toReturnPath(new URLSearchParams((request.query as RawQuery).text).get('return'));
    const { url, flow } = await attempts.run(request.ip, isFailure, () => provider.begin());
    const cookie = prefix + flow.state.slice(0, 8);
    const kept: KeptFlow = { ...flow, returnPath, at: now(), previousSecret: request.cookies[sessionCookie] };
    makeRoom(request, reply);
    reply.setCookie(cookie, seal.close(JSON.stringify(kept), cookie), flowOptions);
    return reply.redirect(url.href, 303);
  });

  register(CALLBACK_PATH, async (request, reply) => {
    const query = (request.query as RawQuery).text;
    const state = new URLSearchParams(query).get('state') ?? '';
    const cookie = prefix + state.slice(0, 8);
    const flow = readFlow(cookie, request.cookies[cookie]);
    if (flow === null || flow.state !== state) throw new ProviderError('expired', 'No such sign-in was started here.');
    // It's valid once.
    reply.clearCookie(cookie, flowOptions);
    const { account, refreshToken } = await attempts.run(request.ip, isFailure, () => provider.finish(query, flow));
    const previousSecret = request.cookies[sessionCookie] ?? flow.previousSecret;
    const secret = await openAccountSession(dependencies, request, account, { refreshToken, previousSecret });
    countOpened();
    reply.setCookie(sessionCookie, secret, cookieOptions(config, PERSON_SESSION_LIFETIME_MS));
    // The page needs no cookie; its requests, from this site, have it.
    return reply.redirect(base + flow.returnPath, 303);
  });
}

type FlowOptions = Pick<Dependencies, 'seal' | 'now'> & { prefix: string; flowOptions: CookieSerializeOptions };

function createFlows({ seal, now, prefix, flowOptions }: FlowOptions) {
  function readFlow(cookie: string, value: string | undefined): KeptFlow | null {
    const text = value === undefined ? null : seal.open(value, cookie);
    const flow = text === null ? null : (parseJson(text) as KeptFlow);
    return flow !== null && now() < flow.at + FLOW_LIFETIME_MS ? flow : null;
  }

  function makeRoom({ cookies }: FastifyRequest, reply: FastifyReply): void {
    const kept = Object.keys(cookies)
      .filter((cookie) => cookie.startsWith(prefix))
      .map((cookie) => ({ cookie, at: readFlow(cookie, cookies[cookie])?.at ?? 0 }))
      .toSorted((one, other) => other.at - one.at);
    for (const { cookie } of kept.filter(({ at }, index) => at === 0 || index >= FLOWS_MAX - 1))
      reply.clearCookie(cookie, flowOptions);
  }

  return { readFlow, makeRoom };
}

/** Gives the secret. Throws a `ProviderError` if the account isn't let in, which is logged, or a `ProblemError`. */
async function openAccountSession(
  { database, seal, accessLog, authentication, now }: Dependencies,
  request: FastifyRequest,
  account: Account,
  { refreshToken, previousSecret }: { refreshToken: string | null; previousSecret: string | undefined },
): Promise<string> {
  const admission = await admit(database, account, { now: now(), requestId: request.id });
  if ('refusal' in admission) {
    const { refusal, workspaces } = admission;
    const { name, email, subject } = account;
    const actor = { kind: 'person', uuid: admission.uuid, name, email, subject } as const;
    const author = { actor, requestId: request.id, run: null };
    for (const workspace of workspaces)
      accessLog.addRefusal(workspace, author, REASONS[refusal] ?? 'not invited', now());
    throw new ProviderError(refusal, `It is the account ${account.subject}.`);
  }
  const { person } = admission;
  await authentication.countRequest(request, { person });
  const opened = {
    previousSecret,
    author: authorOf({ person, requestId: request.id }),
    refreshToken: refreshToken === null ? null : seal.close(refreshToken, person.uuid),
  };
  return openPersonSession(database, admission, opened, now());
}

/** Two slashes, and a slash with a backslash, begin another host; what is below `/session` would begin another sign-in. */
export function toReturnPath(asked: string | null): string {
  if (asked === null || asked.length > 2000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(asked)) return '/';
  const here = 'https://console.invalid';
  const url = URL.parse(asked, here);
  if (url?.origin !== here || url.pathname.startsWith('//') || isSessionPath(url.pathname)) return '/';
  // As the URL parser writes it, which is valid in a header.
  return url.pathname + url.search + url.hash;
}

function isSessionPath(path: string): boolean {
  try {
    return /^\/session(?:\/|$)/.test(decodeURIComponent(path));
  } catch {
    // No route has it.
    return false;
  }
}
