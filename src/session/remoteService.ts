import * as z from 'zod/mini';
import { getWorkspace } from '#contract/additions.ts';
import type { Endpoint, EndpointReading } from '#contract/openapi/endpoint.ts';
import { listDomains } from '#contract/interface.ts';
import type { Session } from '#contract/session.ts';
import { ApiError, describeStatus } from '../api/ApiError.ts';
import { baseUrl, setRemoteService, request } from '../api/client.ts';
import { sessionProvider } from './session.ts';

// For a console on a static host: its config.json names the service.

const Config = z.object({ base_url: z.string().check(z.refine(isBaseUrl)) });

const CONFIG_ERROR_MESSAGE = 'config.json next to this page must look like { "base_url": "https://api.example.com" }.';

const readConfig = {
  id: 'readConfig',
  method: 'GET',
  path: '/config.json',
  result: Config,
  reading: Config,
} as const satisfies Endpoint;

const LINKS_ELSEWHERE = 'Sign-in links work only in the console of the service itself. Use an access token.';

export async function connectToRemoteService(): Promise<void> {
  setRemoteService({ baseUrl: withoutSlash(new URL('.', window.location.href)), token: null });
  const service = new URL(await readBaseUrl());
  const baseUrl = withoutSlash(service);
  // Only config.json names the service, so the policy of the page cannot.
  allowConnections(service.origin);

  let session: Session | null = null;
  let token: string | null = null;
  let openedAt = 0;
  setRemoteService({ baseUrl, token });
  const forget = () => {
    session = null;
    token = null;
    setRemoteService({ baseUrl, token });
  };
  sessionProvider.write({
    read: () => {
      if (session !== null && readSignOutTime() > openedAt) forget();
      return Promise.resolve(session);
    },
    open: async (credentials) => {
      if ('code' in credentials) throw new ApiError('status', LINKS_ELSEWHERE, { status: 401 });
      setRemoteService({ baseUrl, token: credentials.token });
      try {
        session = await readSession(credentials.workspace ?? null);
        token = credentials.token;
        openedAt = Date.now();
        return session;
      } catch (error) {
        setRemoteService({ baseUrl, token });
        throw error;
      }
    },
    close: () => {
      forget();
      saveSignOutTime();
      return Promise.resolve();
    },
    forget,
    isShared: false,
    tokenStorageNote: 'We store it in this page only, until you close or reload it.',
  });
}

async function readBaseUrl(): Promise<string> {
  try {
    return (await request(readConfig, {})).base_url;
  } catch (error) {
    const isThere = error instanceof ApiError && error.kind === 'unreadable';
    throw isThere ? new ApiError('unreadable', CONFIG_ERROR_MESSAGE) : error;
  }
}

const withoutSlash = ({ href }: URL) => href.replace(/\/$/, '');

/** Allows https, and http on this machine or at the page's origin, like the policy in server/console/staticConsole.ts: http exposes the token. */
function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || /[?#]/.test(text)) return false;
  const isHere = url.origin === window.location.origin || /^(localhost|127\.0\.0\.1)$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
}

/** The session from the service, or with the typed workspace ID. Throws an `ApiError` if the token is refused. */
async function readSession(typedId: string | null): Promise<Session> {
  try {
    await request(listDomains, { query: { page: 1, per_page: 1 } });
  } catch (error) {
    const status = error instanceof ApiError ? error.status : undefined;
    if (status !== 401 && status !== 403) throw error;
    throw new ApiError('status', describeStatus('signIn', status, undefined), { status });
  }
  const workspace = await readWorkspace();
  if (workspace === null)
    return { ...PERSONLESS, workspace_uuid: typedId, name: null, identity_field: null, role: null, capabilities: [] };
  const { uuid, ...others } = workspace;
  if (typedId !== null && typedId.toLowerCase() !== uuid) {
    throw new ApiError('status', describeStatus('signIn', 403, undefined), { status: 403 });
  }
  return { ...PERSONLESS, workspace_uuid: uuid, ...others };
}

const PERSONLESS = { person: null, workspaces: [] };

/** Null on a service without additions, whatever it responds. */
async function readWorkspace(): Promise<EndpointReading<typeof getWorkspace>['data'] | null> {
  try {
    return (await request(getWorkspace, {})).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function allowConnections(origin: string): void {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `connect-src ${origin}`;
  document.head.append(policy);
}

const storageKey = () => `sendroom-signed-out ${baseUrl()}`;

/** For tabs that have a token in memory and missed the message of a sign-out. */
function saveSignOutTime(): void {
  try {
    localStorage.setItem(storageKey(), String(Date.now()));
  } catch {
    // Without storage those tabs stay signed in.
  }
}

/** Milliseconds since the epoch; 0 if there was none. */
function readSignOutTime(): number {
  try {
    return Number(localStorage.getItem(storageKey()));
  } catch {
    return 0;
  }
}
