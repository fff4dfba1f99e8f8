import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OidcProvider from 'oidc-provider';

// A real provider of accounts on loopback. Whoever comes to it is signed in as `person`, without a page.

const CLIENT = { client_id: 'sendroom', client_secret: 'a secret of at least thirty-two characters' };

export type AccountProvider = {
  issuer: string;
  /** The settings of a service that people sign in to with it. */
  settings: Record<string, string>;
  /** Who signs in, and what the provider says of them. */
  person: { sub: string } & Record<string, unknown>;
  /** Seconds by which its clock is ahead. */
  ahead: number;
  stop: () => Promise<void>;
  /** Starts it again, with new keys. */
  restart: () => Promise<void>;
};

/** A port that nobody listens on now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a provider for the service at `publicUrl`. */
export async function startAccountProvider(publicUrl: string): Promise<AccountProvider> {
  const port = await findFreePort();
  let server: Server | null = null;
  const own: AccountProvider = {
    issuer: `http://127.0.0.1:${port}`,
    settings: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_NAME: 'Acme ID',
    },
    person: { sub: 'nobody' },
    ahead: 0,
    async stop() {
      server?.closeAllConnections();
      if (server !== null) await once(server.close(), 'close');
      server = null;
    },
    async restart() {
      await own.stop();
      server = createServer(createHandler(own, publicUrl)).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  await own.restart();
  return own;
}

function createHandler(own: AccountProvider, publicUrl: string): Parameters<typeof createServer>[1] & object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomUUID();
  const provider = new OidcProvider(own.issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [new URL('session/account/callback', publicUrl).href],
        post_logout_redirect_uris: [publicUrl],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['for tests'] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    // One cookie for each, as two tabs may sign in at once.
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: () => true,
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...own.person, sub }) }),
    // Nobody is asked for consent.
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile offline_access');
      await grant.save();
      return grant;
    },
  });
  const issue = provider.IdToken.prototype.issue;
  provider.IdToken.prototype.issue = function (issued) {
    if (own.ahead === 0 || issued.use !== 'idtoken') return issue.call(this, issued);
    const iat = Math.floor(Date.now() / 1000) + own.ahead;
    const { sub } = this.available;
    const claims = { sub, iss: own.issuer, aud: CLIENT.client_id, iat, exp: iat + 60, ...this.extra };
    const parts = [{ alg: 'RS256', kid, typ: 'JWT' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signature = sign('sha256', Buffer.from(parts.join('.')), privateKey).toString('base64url');
    return Promise.resolve([...parts, signature].join('.'));
  };
  const handle = provider.callback();
  return (request, response) => {
    // Each sign-in is of whoever `person` is now, also in a browser that was here before.
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: own.person.sub } });
  };
}
