import type { CookieSerializeOptions } from '@fastify/cookie';
import { isTls, publicPath, type Config } from '../settings/config.ts';
/** A session ends this long after sign-in, whatever happens, in milliseconds. */
export const SESSION_LIFETIME_MS = 12 * 60 * 60_000;

/**
 * Over TLS a prefix makes the browser insist on Secure, and on our host alone. The stronger one allows no path but the
 * root; under a path, other pages of that host could overwrite the cookie, though never read it.
 */
export function cookieName(config: Config): string {
  if (!isTls(config)) return 'sendroom';
  return publicPath(config) === '' ? '__Host-sendroom' : '__Secure-sendroom';
}

export function cookieOptions(config: Config): CookieSerializeOptions {
  return {
    path: `${publicPath(config)}/`,
    httpOnly: true,
    sameSite: 'strict',
    secure: isTls(config),
    maxAge: SESSION_LIFETIME_MS / 1000,
  };
}
