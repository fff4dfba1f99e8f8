import { describe, expect, test } from 'vitest';
import { SettingError, publicPath, readConfig } from './config.ts';
import { isLoopback } from './settings.ts';

test('without settings the service listens on loopback, with the demo and its additions', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 4600,
    databaseUrl: 'file:data/sendroom.db',
    databaseReadUrl: null,
    dnsServers: null,
    dnsRecheck: true,
    dnsRecheckHours: 1,
    frameAncestors: [],
    notifications: true,
    historyDays: 400,
    smtpUrl: null,
    mailFrom: null,
    operatorAddress: null,
    webhookPrivateAddresses: [],
    demo: true,
    additions: true,
    logLevel: 'info',
    rateLimit: 6000,
    publicUrl: null,
    trustProxy: [],
    upstreamUrl: null,
    corsOrigins: [],
    metrics: null,
    signIn: 'any',
    oidcIssuer: null,
    oidcClientId: null,
    oidcClientSecret: null,
    oidcRoleClaim: 'groups',
    oidcRoles: [],
    oidcName: null,
  });
});

test('an empty setting counts as not set, and spaces around a value as a slip', () => {
  expect(readConfig({ PORT: '', DEMO: ' off ', HOST: '  ' })).toMatchObject({
    port: 4600,
    demo: false,
    host: '127.0.0.1',
  });
});

test('on a terminal the log is quiet unless somebody asks', () => {
  expect(readConfig({}, true).logLevel).toBe('warn');
  expect(readConfig({ LOG_LEVEL: 'info' }, true).logLevel).toBe('info');
});

test('proxies are a list of addresses and networks', () => {
  const { trustProxy } = readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1 ,192.168.0.7' });
  expect(trustProxy).toEqual(['10.0.0.0/8', '::1', '192.168.0.7']);
});

test.each([
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['[::1]:65535', { host: '::1', port: 65_535 }],
])('METRICS=%s', (METRICS, metrics) => {
  expect(readConfig({ METRICS }).metrics).toEqual(metrics);
});

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PORT', '1e3'],
  ['DEMO', 'yes'],
  ['ADDITIONS', 'ON'],
  ['DNS_RECHECK', '0'],
  ['NOTIFICATIONS', 'no'],
  ['DNS_RECHECK_HOURS', '0'],
  ['DNS_RECHECK_HOURS', '25'],
  ['DNS_RECHECK_HOURS', '0.5'],
  ['LOG_LEVEL', 'verbose'],
  ['RATE_LIMIT', 'none'],
  ['FRAME_ANCESTORS', 'http://desk.example.com'],
  ['FRAME_ANCESTORS', 'https://desk.example.com/tickets'],
  ['FRAME_ANCESTORS', 'https://*.example.com'],
  ['FRAME_ANCESTORS', "'self'"],
  ['RATE_LIMIT', '99999999'],
  ['PUBLIC_URL', 'console.example.com'],
  ['PUBLIC_URL', 'https://console.example.com/?page=1'],
  ['PUBLIC_URL', 'https://console.example.com/a"b/'],
  ['PUBLIC_URL', 'https://console.example.com//b/'],
  ['PUBLIC_URL', 'https://user@console.example.com'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['METRICS', '9464'],
  ['METRICS', '127.0.0.1:65536'],
  ['METRICS', '::1:9464'],
  ['METRICS', '[127.0.0.1]:9464'],
  ['METRICS', '127.0.0.1:9464/metrics'],
  ['CORS_ORIGINS', '*'],
  ['CORS_ORIGINS', 'https://a.example.com, https://b.example.com/console'],
  ['DATABASE_READ_URL', 'postgres://standby/sendroom'],
  ['UPSTREAM_URL', 'api.example.com'],
  ['UPSTREAM_URL', 'http://api.example.com'],
  ['UPSTREAM_URL', 'https://user:secret@api.example.com'],
  ['UPSTREAM_URL', 'https://api.example.com/?tenant=1'],
])('%s=%s is refused in one sentence that names the setting', (name, value) => {
  const read = () => readConfig({ [name]: value });
  expect(read).toThrow(SettingError);
  expect(read).toThrow(new RegExp(`^${name} (must|requires|can't be combined with) .*[^.]\\.$`));
});

describe('the account provider', () => {
  const GIVEN = {
    OIDC_ISSUER: 'https://accounts.example.com',
    OIDC_CLIENT_ID: 'sendroom',
    OIDC_CLIENT_SECRET: 's3cret',
    PUBLIC_URL: 'https://console.example.com',
  };
  const UUID = '00000000-0000-4000-8000-00000000000A';

  test('has groups with roles, in all workspaces or in one', () => {
    const OIDC_ROLES = `support-team=support, ops@${UUID}=admin, a=b%40c=read, CN=x%2COU=y=editor`;
    expect(readConfig({ ...GIVEN, OIDC_ROLES }).oidcRoles).toEqual([
      { group: 'support-team', workspace: null, role: 'support' },
      { group: 'ops', workspace: UUID.toLowerCase(), role: 'admin' },
      { group: 'a=b@c', workspace: null, role: 'read' },
      { group: 'CN=x,OU=y', workspace: null, role: 'editor' },
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ['OIDC_ISSUER', { OIDC_CLIENT_ID: '' }],
    ['OIDC_ISSUER', { OIDC_CLIENT_SECRET: '' }],
    ['OIDC_ISSUER', { PUBLIC_URL: '' }],
    ['OIDC_ISSUER', { ADDITIONS: 'off' }],
    ['OIDC_ISSUER', { UPSTREAM_URL: 'https://api.example.com' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://accounts.example.com' }],
    ['OIDC_CLIENT_ID', { OIDC_ISSUER: '' }],
    ['OIDC_ROLES', { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_ROLES: 'a=read' }],
    ['SIGN_IN=oidc', { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', SIGN_IN: 'oidc' }],
    ['OIDC_ROLES', { OIDC_ROLES: 'support-team' }],
    ['OIDC_ROLES', { OIDC_ROLES: 'support-team=ingest' }],
    ['OIDC_ROLES', { OIDC_ROLES: '=read' }],
    ['OIDC_ROLES', { OIDC_ROLES: 'ops@5905e8da=admin' }],
    ['OIDC_ROLES', { OIDC_ROLES: 'ops@Acme=admin' }],
    ['OIDC_ROLES', { OIDC_ROLES: `ops@${UUID}0=admin` }],
    ['OIDC_ROLES', { OIDC_ROLES: `ops@${UUID}@${UUID}=admin` }],
    ['OIDC_ROLES', { OIDC_ROLES: `ops@ ${UUID}=admin` }],
    ['OIDC_ROLES', { OIDC_ROLES: `ops@${UUID} =admin` }],
    ['OIDC_ROLES', { OIDC_ROLES: `ops @${UUID}=admin` }],
    ['OIDC_ROLES', { OIDC_ROLES: 'ops =admin' }],
    ['OIDC_ROLES', { OIDC_ROLES: 'ops= admin' }],
    ['OIDC_ROLES', { OIDC_ROLES: '@=admin' }],
    ['SIGN_IN', { SIGN_IN: 'token' }],
  ])('is refused in one sentence that begins with %s: %j', (name, changed) => {
    const read = () => readConfig({ ...GIVEN, ...changed });
    expect(read).toThrow(SettingError);
    expect(read).toThrow(new RegExp(`^${name} (must|requires|can't be combined with) .*[^.]\\.$`));
  });
});

test.each([
  ['https://console.example.com', ''],
  ['https://console.example.com/', ''],
  ['https://example.com/sendroom', '/sendroom'],
  ['https://example.com/tools/sendroom/', '/tools/sendroom'],
])('at %s the console is under the path "%s"', (PUBLIC_URL, path) => {
  expect(publicPath(readConfig({ PUBLIC_URL }))).toBe(path);
});

test('a gateway may have a path to its service, and loopback needs no TLS', () => {
  expect(readConfig({ UPSTREAM_URL: 'https://api.example.com/mail/' }).upstreamUrl?.pathname).toBe('/mail/');
  expect(readConfig({ UPSTREAM_URL: 'http://[::1]:4600' }).upstreamUrl?.port).toBe('4600');
});

test('a gateway has no data of its own, and says no password', () => {
  for (const name of ['DATABASE_URL', 'DATABASE_READ_URL']) {
    expect(() => readConfig({ UPSTREAM_URL: 'https://api.example.com', [name]: 'postgres://db/sendroom' })).toThrow(
      `UPSTREAM_URL can't be combined with ${name}: a gateway has no data of its own.`,
    );
  }
  expect(() => readConfig({ UPSTREAM_URL: 'https://user:secret@api.example.com' })).toThrow(/^((?!secret).)*$/);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['example.com', false],
])('whether %s is this machine alone: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
