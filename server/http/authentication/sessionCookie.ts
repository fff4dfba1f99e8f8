import type { CookieSerializeOptions } from '@fastify/cookie';
import { isTls, publicPath, type Config } from '../../settings/config.ts';

/** `__Host-` allows no path but the root. Under a path, other pages of the host could overwrite the cookie, but not read it. */
export function cookieName(config: Config): string {
  if (!isTls(config)) return 'sendroom';
  return publicPath(config) === '' ? '__Host-sendroom' : '__Secure-sendroom';
}

export function cookieOptions(config: Config, lifetime: number): CookieSerializeOptions {
  return {
    path: `${publicPath(config)}/`,
    httpOnly: true,
    sameSite: 'strict',
    secure: isTls(config),
    maxAge: lifetime / 1000,
  };
}
