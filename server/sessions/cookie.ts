import type { CookieSerializeOptions } from '@fastify/cookie';
import { isTls, type Config } from '../config.ts';
import { SESSION_LIFE } from './store.ts';

/** Over TLS the prefix makes the browser insist on Secure, on our path and on our host alone. */
export function cookieName(config: Config): string {
  return isTls(config) ? '__Host-sendroom' : 'sendroom';
}

export function cookieOptions(config: Config): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure: isTls(config), maxAge: SESSION_LIFE / 1000 };
}
