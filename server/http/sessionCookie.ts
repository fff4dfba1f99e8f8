import type { CookieSerializeOptions } from '@fastify/cookie';
import { isTls, publicPath, type Config } from '../settings/config.ts';

/** Milliseconds from sign-in to the end of a session, even if it is in use. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60_000;

/** The same for a session of a person, of whom the provider is asked again meanwhile. */
export const PERSON_SESSION_LIFETIME_MS = 7 * 24 * 60 * 60_000;

/**
 * The name of the session cookie. Over TLS a prefix makes the browser require Secure, and `__Host-` also this host alone. `__Host-`
 * allows no path but the root. Under a path, other pages of the host could overwrite the cookie, but not read it.
 */
export function cookieName(config: Config): string {
  if (!isTls(config)) return 'sendroom';
  return publicPath(config) === '' ? '__Host-sendroom' : '__Secure-sendroom';
}

/** The attributes of the session cookie. `lifetime` is in milliseconds. */
export function cookieOptions(config: Config, lifetime = SESSION_LIFETIME_MS): CookieSerializeOptions {
  return {
    path: `${publicPath(config)}/`,
    httpOnly: true,
    sameSite: 'strict',
    secure: isTls(config),
    maxAge: lifetime / 1000,
  };
}
