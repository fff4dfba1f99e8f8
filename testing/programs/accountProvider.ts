import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import OidcProvider from 'oidc-provider';
import { freePorts } from './freePorts.ts';

// A real account provider (oidc-provider) on loopback. It signs everybody in as `person`, without a page.

export const CLIENT_ID = 'sendroom';
export const CLIENT_SECRET = 'a secret of at least thirty-two characters';

/** What the provider says about an account. */
type TestClaims = Record<string, unknown>;

type Tamper = (claims: Record<string, unknown>) => Record<string, unknown>;

export type AccountProvider = AsyncDisposable & {
  issuer: string;
  /** The accounts by subject. One that is deleted cannot be refreshed. */
  accounts: Map<string, TestClaims>;
  /** Who signs in. */
  person: string;
  /** Changes the claims of ID tokens, which are signed nevertheless. */
  tamper: Tamper | null;
  /** Whether another key signs those. */
  isForged: boolean;
  /** What it answers at a path instead of what it should, as a proxy before it may; an endless answer never ends after that. */
  broken: { path: string; status: number; body: string; type?: string; isEndless?: boolean } | null;
  /** Token requests and others so far, by path. */
  requests: string[];
  stop: () => Promise<void>;
  /** Starts it again, with new keys. */
  restart: () => Promise<void>;
};

type Options = {
  /** Where people are sent back to. */
  publicUrl: string;
  /** Whether ID tokens have all claims, or only the user info. */
  claimsInToken?: boolean;
  withRefreshTokens?: boolean;
};

const newKey = () => ({ kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });
type Key = ReturnType<typeof newKey>;
/** Made once, which takes long: a provider has the first two in turn, and the third is nobody's. */
const keys: Key[] = [];
const keyAt = (index: 0 | 1 | 2): Key => (keys[index] ??= newKey());

export async function startAccountProvider(options: Options): Promise<AccountProvider> {
  const [port = 0] = await freePorts(1);
  let server: Server | null = null;
  let turn: 0 | 1 = 1;
  const own: AccountProvider = {
    issuer: `http://127.0.0.1:${port}`,
    accounts: new Map(),
    person: '',
    tamper: null,
    isForged: false,
    broken: null,
    requests: [],
    async stop() {
      if (server === null) return;
      server.closeAllConnections();
      await once(server.close(), 'close');
      server = null;
    },
    async restart() {
      await own.stop();
      turn = turn === 0 ? 1 : 0;
      server = createServer(createHandler(own, keyAt(turn), options)).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    [Symbol.asyncDispose]: () => own.stop(),
  };
  await own.restart();
  return own;
}

function createHandler(own: AccountProvider, key: Key, options: Options): Parameters<typeof createServer>[1] & object {
  const { publicUrl, claimsInToken = false, withRefreshTokens = true } = options;
  const jwk = { ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256' };
  const provider = new OidcProvider(own.issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [new URL('session/account/callback', publicUrl).href],
        post_logout_redirect_uris: [publicUrl],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['for tests'] },
    features: { devInteractions: { enabled: false } },
    conformIdTokenClaims: !claimsInToken,
    scopes: ['openid', 'offline_access', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups', 'realm_access', 'https://example.com/roles'],
    },
    pkce: { required: () => true },
    // One cookie for each: two tabs may sign in at once.
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: () => withRefreshTokens,
    rotateRefreshToken: true,
    findAccount: (_context: unknown, sub: string) => {
      const claims = own.accounts.get(sub);
      return claims && { accountId: sub, claims: () => ({ sub, ...claims }) };
    },
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile groups offline_access');
      await grant.save();
      return grant;
    },
  });
  const issue = provider.IdToken.prototype.issue;
  provider.IdToken.prototype.issue = function (issued) {
    const { tamper } = own;
    if (tamper === null || issued.use !== 'idtoken') return issue.call(this, issued);
    const iat = Math.floor(Date.now() / 1000);
    const claims = { sub: this.available.sub, iss: own.issuer, aud: CLIENT_ID, iat, exp: iat + 60, ...this.extra };
    return Promise.resolve(signToken(tamper(claims), key.kid, (own.isForged ? keyAt(2) : key).privateKey));
  };
  const handle = provider.callback();
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', own.issuer);
    own.requests.push(pathname);
    if (own.broken?.path === pathname) {
      const { status, body, type = 'application/json', isEndless = false } = own.broken;
      response.writeHead(status, { 'content-type': type }).write(body);
      if (!isEndless) response.end();
      return;
    }
    // Each sign-in is as the current `person`, also in a browser that was here before.
    if (!pathname.startsWith('/interaction/')) return handle(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: own.person } });
  };
}

function signToken(claims: object, kid: string, key: KeyObject): string {
  const parts = [{ alg: 'RS256', kid, typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = sign('sha256', Buffer.from(parts.join('.')), key).toString('base64url');
  return [...parts, signature].join('.');
}
