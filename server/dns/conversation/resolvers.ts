import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import type { Endpoint } from '../wire/transport.ts';

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; null for anything else. */
export function parseResolver(text: string): Endpoint | null {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const address = isIP(text.trim()) === 6 ? text.trim() : (bracketed ?? plain ?? '');
  const isPort = Number(port) > 0 && Number(port) < 65_536;
  return isIP(address) !== 0 && isPort ? { address, port: Number(port) } : null;
}

export function systemResolvers(): Endpoint[] {
  return getServers().flatMap((item) => parseResolver(item) ?? []);
}
