import { isIP } from 'node:net';
import * as z from 'zod/mini';
import { must } from '#contract/values/must.ts';
import { PERSON_ROLES, type PersonRole } from '#contract/members.ts';
import { createNetworkTest } from '../dns/wire/addresses.ts';
import { parseResolver } from '../dns/conversation/resolvers.ts';

// What each setting is. `npm run settings` (.ci/settingsTable.ts) prints it into README.md and docs/operations.md.

/** A setting of the service, which is an environment variable. */
export type Setting = {
  readonly name: string;
  /** The text of a setting that is not set; null where its value is then null. */
  readonly default: string | null;
  /** What the documents say instead of the default. */
  readonly defaultText?: string;
  /** Markdown, with links as from `docs/`. */
  readonly meaning: string;
  /** Whether it may hold a password, so that NAME_FILE may name a file with it. */
  readonly isSecret?: boolean;
  /** From the text to the value. A message of it continues a sentence that begins with the name. */
  readonly schema: z.ZodMiniType<unknown, string>;
};

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const onOff = z.pipe(
  oneOf(['on', 'off']),
  z.transform((value) => value === 'on'),
);

export const SETTINGS = {
  host: { name: 'HOST', default: '127.0.0.1', meaning: 'Address to listen on.', schema: z.string() },
  port: {
    name: 'PORT',
    default: '4600',
    meaning: 'Port to listen on; `0` picks a free one.',
    schema: integer(65_535),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    default: 'file:data/sendroom.db',
    meaning: 'Where the data is: a file, or PostgreSQL like `postgres://user@host/sendroom`.',
    isSecret: true,
    schema: z.string(),
  },
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    default: null,
    meaning: 'A hot standby of that PostgreSQL for reads ([scaling](scaling.md#standby)).',
    isSecret: true,
    schema: z.string(),
  },
  upstreamUrl: {
    name: 'UPSTREAM_URL',
    default: null,
    meaning:
      'Base URL of another service, which makes this a [gateway](operations.md#gateway): https, or http on this machine. Not with `DATABASE_URL`.',
    schema: serverUrl(),
  },
  demo: {
    name: 'DEMO',
    default: 'on',
    meaning: 'Whether an empty database gets the demo workspaces: `on`, `off`.',
    schema: onOff,
  },
  additions: {
    name: 'ADDITIONS',
    default: 'on',
    meaning: 'Whether the service offers more than the five operations of the interface: `on`, `off`.',
    schema: onOff,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    defaultText: '`info`, on a terminal `warn`',
    meaning: `${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}.`,
    schema: oneOf(LOG_LEVELS),
  },
  dnsServers: {
    name: 'DNS_SERVERS',
    default: null,
    defaultText: "the system's",
    meaning: 'Resolvers to query, such as `192.0.2.1` or `192.0.2.1:5353`, comma-separated.',
    schema: z.pipe(
      listOf(parsedBy(parseResolver, 'must list addresses like 192.0.2.1 or 192.0.2.1:5353')),
      z.transform((resolvers) => (resolvers.length === 0 ? null : resolvers)),
    ),
  },
  dnsRecheck: {
    name: 'DNS_RECHECK',
    default: 'on',
    meaning: 'Whether this process checks domains that are due: `on`, `off`.',
    schema: onOff,
  },
  dnsRecheckHours: {
    name: 'DNS_RECHECK_HOURS',
    default: '1',
    meaning: 'Hours until a domain is [checked again](operations.md#checking-domains) at the latest, from 1 to 24.',
    schema: integer(24, 1),
  },
  notifications: {
    name: 'NOTIFICATIONS',
    default: 'on',
    meaning: 'Whether this process sends [notifications](operations.md#notifications) that are due: `on`, `off`.',
    schema: onOff,
  },
  historyDays: {
    name: 'HISTORY_DAYS',
    default: '400',
    meaning: 'Days after which what domains were found to be, closed incidents and sent messages are deleted.',
    schema: integer(36_500),
  },
  smtpUrl: {
    name: 'SMTP_URL',
    default: null,
    meaning:
      'Mail server for [notifications](operations.md#notifications), such as `smtps://user:password@smtp.example.com` or `smtp://127.0.0.1:25`. A password is sent only over TLS, unless `?ignoreTLS=true` follows. With `MAIL_FROM`.',
    isSecret: true,
    schema: z
      .string()
      .check(z.refine(isSmtpUrl, { error: 'must be an address like smtps://user:password@smtp.example.com.' })),
  },
  mailFrom: {
    name: 'MAIL_FROM',
    default: null,
    meaning: 'Sender of that mail, such as `sendroom@ops.example.com`, in a domain that isn’t watched here.',
    schema: z.string().check(z.refine(isMailAddress, { error: 'must be a mail address.' })),
  },
  operatorAddress: {
    name: 'OPERATOR_ADDRESS',
    default: null,
    meaning: 'Mail address that is told when no resolver responds any more, and when one does again.',
    schema: z.string().check(z.refine(isMailAddress, { error: 'must be a mail address.' })),
  },
  webhookPrivateAddresses: {
    name: 'WEBHOOK_PRIVATE_ADDRESSES',
    default: '',
    meaning:
      'Addresses or networks that webhooks may call although they are not public, comma-separated, such as `10.0.0.0/8`.',
    schema: listOf(parsedBy(parseNetwork, 'must list IP addresses or networks like 10.0.0.0/8')),
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    default: '6000',
    meaning:
      'Requests a minute per token, ten times as many per workspace, reads and writes counted apart; `0` is no limit.',
    schema: integer(10_000_000),
  },
  frameAncestors: {
    name: 'FRAME_ANCESTORS',
    default: '',
    meaning:
      'Origins whose pages may show [a contact next to a ticket](operations.md#next-to-a-ticket), comma-separated, such as `https://desk.example.com`.',
    schema: listOf(parsedBy(parseFramer, 'must list origins like https://desk.example.com')),
  },
  /** With a slash at the end of the path. */
  publicUrl: {
    name: 'PUBLIC_URL',
    default: null,
    meaning:
      'Where people reach the console through a proxy, such as `https://console.example.com` or, [under a path](operations.md#under-a-path), `https://example.com/sendroom/`; with `https:` the session cookie is `Secure`.',
    schema: parsedBy(
      parsePublicUrl,
      'must be an address like https://console.example.com or https://example.com/sendroom/',
    ),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: '',
    meaning: 'Addresses or networks of proxies whose `X-Forwarded-For` is trusted, comma-separated.',
    schema: listOf(parsedBy(parseNetwork, 'must list IP addresses or networks like 10.0.0.0/8')),
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    default: '',
    meaning:
      'Origins of consoles on [static hosts](operations.md#static-console) that may call `/v1/` from a browser, comma-separated.',
    schema: listOf(parsedBy(parseOrigin, 'must be an address like https://console.example.com, without a path')),
  },
  signIn: {
    name: 'SIGN_IN',
    default: 'any',
    meaning:
      "How people sign in to the console: `any` way that's set up, or only `oidc`, the [organisation's account](operations.md#account-provider). Programs always use tokens.",
    schema: oneOf(['any', 'oidc']),
  },
  oidcIssuer: {
    name: 'OIDC_ISSUER',
    default: null,
    meaning:
      'Issuer of an [account provider](operations.md#account-provider) (OpenID Connect): https, or http on this machine. With `PUBLIC_URL`.',
    schema: serverUrl(),
  },
  oidcClientId: {
    name: 'OIDC_CLIENT_ID',
    default: null,
    meaning: 'Client ID at the provider.',
    schema: z.string(),
  },
  oidcClientSecret: {
    name: 'OIDC_CLIENT_SECRET',
    default: null,
    meaning: 'Client secret. A new one signs people out at their next refresh.',
    isSecret: true,
    schema: z.string(),
  },
  oidcRoleClaim: {
    name: 'OIDC_ROLE_CLAIM',
    default: 'groups',
    meaning: 'Claim with the groups: its name, or a path like `realm_access.roles`.',
    schema: z.string(),
  },
  oidcRoles: {
    name: 'OIDC_ROLES',
    default: '',
    meaning:
      'Roles of groups, comma-separated: `support-team=support` in all workspaces, `ops@WORKSPACE-ID=admin` in one. In a name write a comma as `%2C`, an at sign as `%40`. Without it, people must be invited.',
    schema: listOf(
      parsedBy(
        parseGroupRole,
        'must list groups like support-team=support or ops@WORKSPACE-ID=admin, with the whole ID, no spaces around names, and %40 for an at sign in a name',
      ),
    ),
  },
  oidcName: {
    name: 'OIDC_NAME',
    default: null,
    defaultText: 'the host of the issuer',
    meaning: 'Provider name shown on the sign-in button.',
    schema: z.string(),
  },
  metrics: {
    name: 'METRICS',
    default: null,
    meaning: 'Address and port for [Prometheus](operations.md#metrics), such as `127.0.0.1:9464`.',
    schema: parsedBy(parseHostAndPort, 'must be an address and a port like 127.0.0.1:9464'),
  },
} as const satisfies Record<string, Setting>;

/** A text that `parse` has a value for; null is none. */
function parsedBy<Value>(parse: (text: string) => Value | null, sentence: string) {
  return z.pipe(
    z.string(),
    z.transform((text, { issues }) => {
      const value = parse(text);
      if (value !== null) return value;
      issues.push({ code: 'custom', input: text, message: `${sentence}, not "${text}".` });
      return z.NEVER;
    }),
  );
}

function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, { error: ({ input }) => `must be ${values.join(', ')}, not "${String(input)}".` });
}

function integer(max: number, min = 0) {
  const isInRange = (value: number) => min <= value && value <= max;
  const parse = (text: string) => (/^\d{1,8}$/.test(text) && isInRange(Number(text)) ? Number(text) : null);
  return parsedBy(parse, `must be a whole number from ${min} to ${max}`);
}

/** Items between commas; empty ones do not count. */
function listOf<Item extends z.ZodMiniType<unknown, string>>(item: Item) {
  const split = z.transform((text: string) => text.split(',').flatMap((each) => each.trim() || []));
  return z.pipe(z.pipe(z.string(), split), z.array(item));
}

/** The URL of a server, with or without a path. Tokens are sent there, so TLS is required unless it is on this machine. */
function serverUrl() {
  return z.pipe(
    z.string().check(
      z.refine(isBaseUrl, {
        abort: true,
        error: ({ input }) => `must be an address like https://api.example.com, not "${maskPassword(String(input))}".`,
      }),
      z.refine(isPrivate, { error: 'must be an https address: http would show the tokens to the network.' }),
    ),
    z.transform((text) => new URL(text)),
  );
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text);
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '' && !/[?#]/.test(text);
}

function isPrivate(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Without the password in an address, for messages. */
function maskPassword(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//...@');
}

function parseHostAndPort(text: string): { host: string; port: number } | null {
  const [, v6 = '', other = '', port = ''] = /^(?:\[([^\]]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const isValid = (other !== '' || isIP(v6) === 6) && Number(port) <= 65_535;
  return isValid ? { host: v6 || other, port: Number(port) } : null;
}

function parseOrigin(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href ? url.origin : null;
}

/** Only https: anyone who changes a page of http on its way could frame the contact. */
function parseFramer(text: string): string | null {
  return /^https:[^*;,'\s]+$/.test(text) ? parseOrigin(text) : null;
}

/** An origin, with or without a path. The path has only characters that need no escaping in markup and in cookies. */
function parsePublicUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url !== null && !url.pathname.endsWith('/')) url.pathname += '/';
  const isPlain = url !== null && `${url.origin}${url.pathname}` === url.href && !/[?#]/.test(text);
  return isPlain && /^https?:$/.test(url.protocol) && /^\/([\w.~-]+\/)*$/.test(url.pathname) ? url : null;
}

/** Longest prefix of a network, by the result of `isIP`; no prefix is valid where it is no address. */
const PREFIX_BITS = new Map([
  [0, -1],
  [4, 32],
  [6, 128],
]);

function parseNetwork(text: string): string | null {
  const [address, prefix = '0', ...rest] = text.split('/');
  const bits = must(PREFIX_BITS.get(isIP(must(address))));
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? text : null;
}

/** The role that the members of a group have, in one workspace or (null) in all. */
export type GroupRole = { group: string; workspace: string | null; role: PersonRole };

/** An at sign always begins a workspace: a mistyped ID would otherwise be part of the name of a group that nobody has. */
function parseGroupRole(text: string): GroupRole | null {
  const [, name = '', workspace = null, word = ''] =
    /^([^@]+)(?:@([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?=(\w+)$/i.exec(text) ?? [];
  const role = PERSON_ROLES.find((one) => one === word);
  if (role === undefined || name !== name.trim()) return null;
  const group = name.replaceAll(/%2C/gi, ',').replaceAll(/%40/g, '@');
  return { group, workspace: workspace?.toLowerCase() ?? null, role };
}

const LOOPBACK = ['127.0.0.0/8', '::1'];
const isLoopbackAddress = createNetworkTest(LOOPBACK);

/** Whether `host`, a name or address, can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return address === 'localhost' || isLoopbackAddress(address);
}

/** Whether many clients share an address: this machine, or one of `trusted`, the addresses and networks of proxies. */
export function createProxyTest(trusted: readonly string[]): (address: string) => boolean {
  return createNetworkTest([...LOOPBACK, ...trusted]);
}
