import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
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
  stop: () => Promise<void>;
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
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  const server = createServer(createHandler(own, publicUrl)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return own;
}

function createHandler(own: AccountProvider, publicUrl: string): Parameters<typeof createServer>[1] & object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new OidcProvider(own.issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [new URL('session/account/callback', publicUrl).href],
        post_logout_redirect_uris: [publicUrl],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
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
  const handle = provider.callback();
  return (request, response) => {
    // Each sign-in is of whoever `person` is now, also in a browser that was here before.
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: own.person.sub } });
  };
}
