import * as client from 'openid-client';
import { ACCOUNT_SIGN_IN_PATH, type Refusal } from '#contract/session.ts';
import { must } from '#contract/values/must.ts';
import type { Account } from '../members/admit.ts';
import type { Config } from '../settings/config.ts';
import { accountOf, type Claims, findClaim, isSubject, joinClaims } from './claims.ts';
import { fetchWhole } from './fetchWhole.ts';

/** The provider's time to respond, in seconds. */
const TIMEOUT_SECONDS = 5;
/** Milliseconds for which its metadata is cached. Keys are read at each sign-in, so that new ones work immediately. */
const METADATA_LIFETIME_MS = 10 * 60_000;
/** Seconds by which its clock may differ from ours. */
const CLOCK_TOLERANCE = 60;
const SCOPES = ['openid', 'email', 'profile', 'groups', 'offline_access'];
/** What every provider supports, if its metadata doesn't say. */
const SCOPES_UNTOLD = ['openid', 'email', 'profile'];

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause: unknown) {
    super(describe(cause), { cause });
    this.refusal = refusal;
  }
}

export type Flow = { state: string; nonce: string; verifier: string };

type SignedIn = { account: Account; refreshToken: string | null };

export const CALLBACK_PATH = `${ACCOUNT_SIGN_IN_PATH}/callback`;

/** The provider of the organisation's accounts. All of its methods throw `ProviderError`. */
export class Provider {
  readonly #config: Config;
  readonly #issuer: URL;
  readonly #now: () => number;
  #metadata: { read: client.ServerMetadata; at: number } | null = null;
  /** The running discovery, which is shared. */
  #discovery: Promise<client.ServerMetadata> | null = null;

  constructor(config: Config, issuer: URL, now: () => number) {
    this.#config = config;
    this.#issuer = issuer;
    this.#now = now;
  }

  get name(): string {
    return this.#config.oidcName ?? this.#issuer.host;
  }

  /** The provider's sign-out page; null if it has none, or it isn't known yet. */
  get signOutUrl(): string | null {
    if (this.#metadata?.read.end_session_endpoint === undefined) return null;
    const back = must(this.#config.publicUrl).href;
    return client.buildEndSessionUrl(this.#configure(this.#metadata.read), { post_logout_redirect_uri: back }).href;
  }

  /** Reads its metadata, unless it's cached. */
  async prepare(): Promise<void> {
    await this.#connect();
  }

  async begin(): Promise<{ url: URL; flow: Flow }> {
    const configuration = await this.#connect();
    const flow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const { scopes_supported: supported = SCOPES_UNTOLD } = configuration.serverMetadata();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callbackUrl().href,
      scope: SCOPES.filter((scope) => supported.includes(scope)).join(' '),
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      state: flow.state,
      nonce: flow.nonce,
    });
    return { url, flow };
  }

  async finish(query: string, { state, nonce, verifier }: Flow): Promise<SignedIn> {
    const configuration = await this.#connect();
    const url = this.#callbackUrl();
    url.search = query;
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    return this.#ask(async () => {
      const tokens = await client.authorizationCodeGrant(configuration, url, checks);
      const { sub, iat } = must(tokens.claims());
      // The library only checks whether it has expired.
      if (Math.abs(iat - this.#now() / 1000) > CLOCK_TOLERANCE)
        throw new ProviderError('clock', `The ID token was made at ${new Date(iat * 1000).toISOString()}.`);
      if (!isSubject(sub))
        throw new ProviderError(
          'provider_refused',
          "The subject is empty, longer than 255 characters, or can't be stored.",
        );
      return { account: await this.#read(configuration, tokens, sub), refreshToken: tokens.refresh_token ?? null };
    });
  }

  /** Null where the provider tells nothing about it any more, 'removed' only where it says so. `keep` gets the next refresh token. */
  async refresh(
    { refreshToken, subject }: { refreshToken: string; subject: string },
    keep: (next: string) => void,
  ): Promise<Account | 'removed' | null> {
    const configuration = await this.#connect();
    try {
      const tokens = await this.#ask(() => client.refreshTokenGrant(configuration, refreshToken));
      const claims = tokens.claims();
      if (claims !== undefined && claims.sub !== subject) return 'removed';
      // Immediately: some providers accept each one once.
      keep(tokens.refresh_token ?? refreshToken);
      const isTold = claims !== undefined || configuration.serverMetadata().userinfo_endpoint !== undefined;
      return isTold ? await this.#ask(() => this.#read(configuration, tokens, subject)) : null;
    } catch (error) {
      if (error instanceof ProviderError && isRemoval(error.cause)) return 'removed';
      throw error;
    }
  }

  /** From the ID token, and from the user info if that isn't enough. */
  async #read(configuration: client.Configuration, tokens: Tokens, subject: string): Promise<Account> {
    const { oidcRoleClaim: roleClaim, oidcRoles: roles } = this.#config;
    const { issuer, userinfo_endpoint } = configuration.serverMetadata();
    const inToken: Claims = tokens.claims() ?? {};
    const isEnough =
      inToken['email'] !== undefined && (roles.length === 0 || findClaim(inToken, roleClaim) !== undefined);
    const more =
      isEnough || userinfo_endpoint === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, subject);
    return accountOf(joinClaims(inToken, more), { issuer, subject }, { roleClaim, roles });
  }

  /** A new configuration each time, because it caches the provider's keys. */
  async #connect(): Promise<client.Configuration> {
    const known = this.#metadata;
    if (known !== null && this.#now() < known.at + METADATA_LIFETIME_MS) return this.#configure(known.read);
    this.#discovery ??= this.#discover().finally(() => (this.#discovery = null));
    return this.#configure(await this.#discovery);
  }

  #discover(): Promise<client.ServerMetadata> {
    return this.#ask(async () => {
      const { oidcClientId } = this.#config;
      const execute = this.#issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
      const options = { timeout: TIMEOUT_SECONDS, execute, [client.customFetch]: fetchWhole };
      const found = await client.discovery(this.#issuer, must(oidcClientId), undefined, client.None(), options);
      // Without its functions.
      const read = JSON.parse(JSON.stringify(found.serverMetadata())) as client.ServerMetadata;
      this.#metadata = { read, at: this.#now() };
      return read;
    });
  }

  #configure(metadata: client.ServerMetadata): client.Configuration {
    const secret = must(this.#config.oidcClientSecret);
    const isPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
    const configuration = new client.Configuration(
      metadata,
      must(this.#config.oidcClientId),
      {
        [client.clockSkew]: Math.round((this.#now() - Date.now()) / 1000),
        [client.clockTolerance]: CLOCK_TOLERANCE,
      },
      isPost ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret),
    );
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[client.customFetch] = fetchWhole;
    client.enableNonRepudiationChecks(configuration);
    if (this.#issuer.protocol === 'http:') client.allowInsecureRequests(configuration);
    return configuration;
  }

  #callbackUrl(): URL {
    return new URL(CALLBACK_PATH.slice(1), must(this.#config.publicUrl));
  }

  async #ask<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof ProviderError ? error : new ProviderError(refusalFor(error), error);
    }
  }
}

type Tokens = Awaited<ReturnType<typeof client.refreshTokenGrant>>;

function refusalFor(error: unknown): Refusal {
  const { code, status, cause } = error as { code?: unknown; status?: unknown; cause?: unknown };
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock';
  const answered = typeof status === 'number' ? status : cause instanceof Response ? cause.status : null;
  const isDown = answered !== null && (answered >= 500 || answered === 429);
  // The network fails with a TypeError.
  if (isDown || code === 'OAUTH_TIMEOUT' || error instanceof TypeError) return 'provider_unreachable';
  return 'provider_refused';
}

/** The provider refused the refresh token, or its user info is about another subject. */
function isRemoval(cause: unknown): boolean {
  const { code, error } = cause as { code?: unknown; error?: unknown };
  return error === 'invalid_grant' || code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';
}

/** The message of a library error and its cause. Neither contains a token. */
function describe(cause: unknown): string {
  if (typeof cause === 'string') return cause;
  const { message, error, error_description, cause: inner } = cause as Record<string, unknown>;
  const parts = [message, error, error_description, inner instanceof Error ? inner.message : undefined];
  return parts.filter((part) => typeof part === 'string').join('; ');
}
