import { readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { must } from '#contract/values/must.ts';
import { SETTINGS, type Setting } from './settings.ts';

type ValueOf<Described extends Setting> = z.output<Described['schema']> | (Described['default'] & null);

/** The settings of the service; `SETTINGS` says what each is. */
export type Config = { [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]> };

/** An invalid setting. The message is one sentence for the operator. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings from the environment; an empty variable counts as not set. Throws `SettingError`. */
export function readConfig(env: Environment, isTerminal = false): Config {
  const isGateway = readSetting(env, SETTINGS.upstreamUrl) !== null;
  for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE', 'DATABASE_READ_URL', 'DATABASE_READ_URL_FILE']) {
    if (isGateway && textOf(env, name) !== '')
      throw new SettingError(`UPSTREAM_URL can't be combined with ${name}: a gateway has no data of its own.`);
  }
  const values = Object.entries<Setting>(SETTINGS).map(([key, setting]) => [key, readSetting(env, setting)]);
  const config = Object.fromEntries(values) as Config;
  if (config.databaseReadUrl !== null && config.databaseUrl.startsWith('file:')) {
    throw new SettingError('DATABASE_READ_URL requires a PostgreSQL DATABASE_URL: a file has no standby.');
  }
  rejectContradictions(env, config);
  // On a terminal a line for each request would scroll the sign-in link away.
  const isQuiet = isTerminal && textOf(env, SETTINGS.logLevel.name) === '';
  return isQuiet ? { ...config, logLevel: 'warn' } : config;
}

/** Throws `SettingError` where the settings for mail, or of the account provider, do not go together. */
function rejectContradictions(env: Environment, config: Config): void {
  if ((config.smtpUrl === null) !== (config.mailFrom === null)) {
    throw new SettingError('SMTP_URL and MAIL_FROM require each other.');
  }
  const needed = { OIDC_CLIENT_ID: config.oidcClientId, OIDC_CLIENT_SECRET: config.oidcClientSecret };
  if (config.oidcIssuer === null) {
    const given = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_CLIENT_SECRET_FILE', 'OIDC_ROLES', 'OIDC_NAME'];
    const alone = given.find((name) => textOf(env, name) !== '');
    if (alone !== undefined) throw new SettingError(`${alone} requires OIDC_ISSUER.`);
    if (config.signIn === 'oidc') throw new SettingError('SIGN_IN=oidc requires OIDC_ISSUER: nobody could sign in.');
    return;
  }
  for (const [name, value] of Object.entries(needed)) {
    if (value === null) throw new SettingError(`OIDC_ISSUER requires ${name}, which you get from the provider.`);
  }
  if (config.publicUrl === null)
    throw new SettingError('OIDC_ISSUER requires PUBLIC_URL: the provider sends people back there.');
  if (config.upstreamUrl !== null)
    throw new SettingError("OIDC_ISSUER can't be combined with UPSTREAM_URL: a gateway has no accounts.");
  if (!config.additions)
    throw new SettingError("OIDC_ISSUER can't be combined with ADDITIONS=off: the bare interface has no accounts.");
}

/** The resolvers of the settings, or null where nothing is set. Throws `SettingError`. */
export function readDnsServers(env: Environment): Config['dnsServers'] {
  return readSetting(env, SETTINGS.dnsServers);
}

/** Whether people reach the service over TLS. */
export function isTls(config: Config): boolean {
  return config.publicUrl?.protocol === 'https:';
}

/** Without a slash at its end. The proxy in front removes it, but URLs and cookies for browsers need it. */
export function publicPath({ publicUrl }: Config): string {
  return publicUrl?.pathname.slice(0, -1) ?? '';
}

function readSetting<Described extends Setting>(env: Environment, setting: Described): ValueOf<Described> {
  const { name, schema, isSecret = false } = setting;
  const text = (isSecret ? readSecret(env, name) : textOf(env, name)) || setting.default;
  if (text === null) return null as ValueOf<Described>;
  const { data, error } = schema.safeParse(text);
  if (error !== undefined) throw new SettingError(`${name} ${must(error.issues[0]).message}`);
  return data as ValueOf<Described>;
}

const textOf = (env: Environment, name: string) => env[name]?.trim() ?? '';

/** Its value, or the content of the file in NAME_FILE. Error messages contain neither. */
function readSecret(env: Environment, name: string): string {
  const value = textOf(env, name);
  const file = textOf(env, `${name}_FILE`);
  if (file === '') return value;
  if (value !== '') throw new SettingError(`${name} can't be combined with ${name}_FILE.`);
  const content = readSettingFile(file, `${name}_FILE`).trim();
  // oxlint-disable-next-line no-control-regex -- the parser of URLs would ignore them
  if (content !== '' && !/[\0-\x1f]/.test(content)) return content;
  throw new SettingError(`${name}_FILE must name a file with one line.`);
}

function readSettingFile(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingError(`${name} must name a readable file (${(error as NodeJS.ErrnoException).code}).`);
  }
}
