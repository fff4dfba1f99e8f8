import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { must } from '#contract/must.ts';
import type { Endpoint } from '../dns/transport.ts';
import { parseResolver } from '../dns/resolvers.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The settings of the service; docs/operations.md says what each is for. */
export type Config = {
  host: string;
  port: number;
  databaseUrl: string;
  /** A hot standby that reads may go to; null for none. */
  databaseReadUrl: string | null;
  demo: boolean;
  additions: boolean;
  logLevel: LogLevel;
  /** Requests a minute for each token, reads and writes each; 0 is no limit. */
  rateLimit: number;
  /**
   * Where people reach the console, with a slash at the end of the path; null where that is the address the service
   * listens on.
   */
  publicUrl: URL | null;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  trustProxy: string[];
  /** Resolvers for the DNS check; null for those of the system. */
  dnsServers: Endpoint[] | null;
  /** Whether this process rechecks domains by itself. */
  dnsRecheck: boolean;
  /** The upstream service of a gateway; null for a service with data of its own. */
  upstreamUrl: URL | null;
  /** Origins of consoles that are hosted elsewhere and may call the operations from a browser. */
  corsOrigins: string[];
  /** The address of the metrics for Prometheus; null for none. */
  metrics: { host: string; port: number } | null;
};

/** An invalid setting. The message is one sentence for the operator. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from the environment; an empty variable counts as not set. Throws `SettingError`. */
export function readConfig(env: Environment, isTerminal = false): Config {
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const onOrOff = (name: string) => parseChoice(name, text(name, 'on'), ['on', 'off']) === 'on';
  const upstreamUrl = parseUpstreamUrl(text('UPSTREAM_URL', ''));
  for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATABASE_READ_URL', 'DATABASE_READ_URL_FILE']) {
    if (upstreamUrl !== null && text(name, '') !== '')
      throw new SettingError(`UPSTREAM_URL must stand without ${name}: a gateway has no data of its own.`);
  }
  const databaseUrl = readSecret('DATABASE_URL', text) || 'file:data/sendroom.db';
  const databaseReadUrl = readSecret('DATABASE_READ_URL', text) || null;
  if (databaseReadUrl !== null && databaseUrl.startsWith('file:')) {
    throw new SettingError('DATABASE_READ_URL must stand with a DATABASE_URL of PostgreSQL: a file has no standby.');
  }
  return {
    host: text('HOST', '127.0.0.1'),
    port: parseInteger('PORT', text('PORT', '4600'), 65_535),
    databaseUrl,
    databaseReadUrl,
    demo: onOrOff('DEMO'),
    additions: onOrOff('ADDITIONS'),
    // On a terminal a line for each request would scroll the sign-in link away.
    logLevel: parseChoice('LOG_LEVEL', text('LOG_LEVEL', isTerminal ? 'warn' : 'info'), LOG_LEVELS),
    rateLimit: parseInteger('RATE_LIMIT', text('RATE_LIMIT', '6000'), 10_000_000),
    publicUrl: parsePublicUrl('PUBLIC_URL', text('PUBLIC_URL', '')),
    trustProxy: parseAddresses('TRUST_PROXY', text('TRUST_PROXY', '')),
    dnsServers: readDnsServers(env),
    dnsRecheck: onOrOff('DNS_RECHECK'),
    upstreamUrl,
    corsOrigins: parseOrigins('CORS_ORIGINS', text('CORS_ORIGINS', '')),
    metrics: parseHostAndPort('METRICS', text('METRICS', '')),
  };
}

/** Whether people reach the service over TLS. */
export function isTls(config: Config): boolean {
  return config.publicUrl?.protocol === 'https:';
}

/**
 * The path of the public URL, without a slash at its end; usually empty. The proxy in front removes it from requests, but URLs and
 * cookies for the browser need it.
 */
export function publicPath({ publicUrl }: Config): string {
  return publicUrl?.pathname.slice(0, -1) ?? '';
}

/** Whether `host`, a name or address, can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) return address === 'localhost';
  return isIP(address) === 4 ? loopback.check(address) : loopback.check(address, 'ipv6');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/**
 * A setting that may contain a password: its value, or the content of the file in NAME_FILE. Error messages contain
 * neither.
 */
function readSecret(name: string, text: (name: string, fallback: string) => string): string {
  const value = text(name, '');
  const file = text(`${name}_FILE`, '');
  if (file === '') return value;
  if (value !== '') throw new SettingError(`${name} must stand without ${name}_FILE: one of them says what it is.`);
  const content = readSettingFile(file, `${name}_FILE`).trim();
  // oxlint-disable-next-line no-control-regex -- the parser of URLs would ignore them
  if (content !== '' && !/[\0-\x1f]/.test(content)) return content;
  throw new SettingError(`${name}_FILE must name a file with one line in it.`);
}

function readSettingFile(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingError(`${name} must name a file that can be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function parseChoice<Value extends string>(name: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new SettingError(`${name} must be ${allowed.join(', ')}, not "${value}".`);
  return found;
}

function parseInteger(name: string, value: string, max: number): number {
  if (/^\d{1,8}$/.test(value) && Number(value) <= max) return Number(value);
  throw new SettingError(`${name} must be a whole number from 0 to ${max}, not "${value}".`);
}

function parseHostAndPort(name: string, value: string): Config['metrics'] {
  if (value === '') return null;
  const [, v6 = '', other = '', port = ''] = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/.exec(value) ?? [];
  if ((other !== '' || isIP(v6) === 6) && Number(port) <= 65_535) return { host: v6 || other, port: Number(port) };
  throw new SettingError(`${name} must be an address and a port like 127.0.0.1:9464, not "${value}".`);
}

function parseOrigin(name: string, value: string): URL | null {
  if (value === '') return null;
  const url = URL.parse(value);
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url;
  throw new SettingError(
    `${name} must be an address like https://console.example.com, without a path, not "${value}".`,
  );
}

/** An origin, with or without a path. The path has only characters that need no escaping in markup and in cookies. */
function parsePublicUrl(name: string, value: string): URL | null {
  if (value === '') return null;
  const url = URL.parse(value);
  if (url !== null && !url.pathname.endsWith('/')) url.pathname += '/';
  const isPlain = url !== null && `${url.origin}${url.pathname}` === url.href && !/[?#]/.test(value);
  if (isPlain && /^https?:$/.test(url.protocol) && /^\/([\w.~-]+\/)*$/.test(url.pathname)) return url;
  throw new SettingError(
    `${name} must be an address like https://console.example.com or https://example.com/sendroom/, not "${value}".`,
  );
}

/** A base URL, with or without a path. Tokens are sent there, so TLS is required unless it is on this machine. */
function parseUpstreamUrl(value: string): URL | null {
  if (value === '') return null;
  const url = URL.parse(value);
  const isPlain = url !== null && url.username === '' && url.password === '' && !/[?#]/.test(value);
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new SettingError(
      `UPSTREAM_URL must be an address like https://api.example.com, not "${maskPassword(value)}".`,
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new SettingError('UPSTREAM_URL must be an https address: http would show the tokens to the network.');
  }
  return url;
}

/** Without the password in an address, for messages. */
function maskPassword(value: string): string {
  return value.replace(/\/\/[^/]*@/, '//...@');
}

function parseOrigins(name: string, value: string): string[] {
  return value.split(',').flatMap((item) => parseOrigin(name, item.trim())?.origin ?? []);
}

/** The resolvers of the settings, or null where nothing is set. Throws `SettingError`. */
export function readDnsServers(env: Environment): Endpoint[] | null {
  const list = (env['DNS_SERVERS'] ?? '').split(',').flatMap((item) => item.trim() || []);
  if (list.length === 0) return null;
  return list.map((item) => {
    const resolver = parseResolver(item);
    if (resolver !== null) return resolver;
    throw new SettingError(`DNS_SERVERS must list addresses like 192.0.2.1 or 192.0.2.1:5353, not "${item}".`);
  });
}

/** Longest prefix of a network, by the result of `isIP`; no prefix is valid where it is no address. */
const PREFIX_BITS = new Map([
  [0, -1],
  [4, 32],
  [6, 128],
]);

function parseAddresses(name: string, value: string): string[] {
  const list = value.split(',').flatMap((item) => item.trim() || []);
  for (const item of list) {
    const [address, prefix = '0', ...rest] = item.split('/');
    const bits = must(PREFIX_BITS.get(isIP(must(address))));
    if (rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new SettingError(`${name} must list IP addresses or networks like 10.0.0.0/8, not "${item}".`);
    }
  }
  return list;
}
