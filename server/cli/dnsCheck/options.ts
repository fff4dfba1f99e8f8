import { Command, InvalidArgumentError, Option } from 'commander';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import { type AuthoritativeMode, LIMITS } from '../../dns/conversation/dnsClient.ts';
import type { Endpoint } from '../../dns/wire/transport.ts';
import { parseResolver } from '../../dns/conversation/resolvers.ts';
import { VERSION } from '../../settings/program.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { FORMATS, type Format } from './formats/formats.ts';
import { FAIL_ON, type FailOn } from './failurePolicy.ts';

/** The options of the command. Durations are milliseconds. */
export type DnsCheckOptions = {
  expect?: string;
  baseUrl?: URL;
  tokenFile?: string;
  /** Normalised names. */
  domain: string[];
  resolver?: Endpoint[];
  authoritative: AuthoritativeMode;
  timeout: number;
  deadline: number;
  wait?: number;
  interval: number;
  confirm: number;
  baseline?: string;
  only?: 'wrong';
  advice?: true;
  failOn: FailOn[];
  format: Format;
  out?: string;
  quiet?: true;
};

/** Formats that may leave something out. A baseline and a monitor need everything. */
const LISTS: readonly Format[] = ['text', 'csv', 'ndjson'];

/** Milliseconds. */
const INTERVAL = 30_000;
const CONFIRM_MAX = 10;

/** Parses the arguments. Throws `CommanderError` after it has printed the error. */
export function readOptions(args: readonly string[]): DnsCheckOptions {
  const isScript = process.env['npm_lifecycle_event'] === 'dns-check';
  const program = new Command(isScript ? 'npm run dns-check --' : 'sendroom-dns-check')
    .description(
      'Compares the DNS records that sending domains need with what is published now, and says what to change.',
    )
    .version(VERSION, '--version', 'print the version')
    .option('--expect <file>', 'domains or records as JSON, or zone-file text; - is standard input')
    .addOption(option('--base-url <url>', 'a service that knows the domains').argParser(serviceUrl).conflicts('expect'))
    .option('--token-file <file>', 'file with the token for the service, instead of SENDROOM_TOKEN')
    .addOption(
      option('--domain <name>', 'only this domain; can be given again').argParser(parseNames).default([], 'all'),
    )
    .option(
      '--resolver <address>',
      'ask this resolver, instead of DNS_SERVERS or those of the system; can be given again',
      parseResolvers,
    )
    .addOption(
      option('--authoritative <when>', 'ask the name servers of the domains too; on: believe nobody else')
        .choices(['auto', 'on', 'off'])
        .default('auto'),
    )
    .addOption(durationOption('--timeout', 'for one question', LIMITS.timeout))
    .addOption(durationOption('--deadline', 'for one domain, each time it is asked about', LIMITS.deadline))
    .option('--wait <duration>', 'ask again until all is right, for 30m for example', parseDurationArgument)
    .addOption(durationOption('--interval', 'until it asks again', INTERVAL))
    .addOption(
      option('--confirm <times>', 'what is wrong must be so this many times, an interval apart; not with --wait')
        .argParser(parseTimes)
        .default(1)
        .conflicts('wait'),
    )
    .option('--baseline <file>', 'accept what this earlier result of --format json calls wrong')
    .addOption(
      option('--fail-on <results>', `exit with 1 for these, too: ${FAIL_ON.join(',')}`)
        .argParser(parseResults)
        .default([], 'fail'),
    )
    .addOption(option('--only <what>', 'list only what is not right; with text, csv and ndjson').choices(['wrong']))
    .option('--advice', 'advise on mail that the domain receives, too: MTA-STS, TLS reports and DANE')
    .addOption(option('--format <format>', 'how results are written').choices(Object.keys(FORMATS)).default('text'))
    .option('--out <file>', 'write results into this file, which is never there by halves')
    .option('-q, --quiet', 'say nothing when all is well')
    .addHelpText(
      'after',
      '\nExit code: 0 all right, 1 a record is wrong, 2 wrong use or token, 3 something could not be asked, 4 only pending.',
    )
    .allowExcessArguments(false)
    .showHelpAfterError('Run with --help to list what is possible.')
    .exitOverride();
  program.parse(args, { from: 'user' });
  const options = program.opts<DnsCheckOptions>();
  if (options.expect === undefined && options.baseUrl === undefined) {
    program.error('error: say --expect or --base-url');
  }
  if (options.only !== undefined && !LISTS.includes(options.format)) {
    program.error(`error: --only is for ${LISTS.join(', ')}: other formats always have everything`);
  }
  return options;
}

const option = (flags: string, description: string) => new Option(flags, description);

function durationOption(name: string, description: string, fallback: number): Option {
  return option(`${name} <duration>`, description)
    .argParser(parseDurationArgument)
    .default(fallback, formatDuration(fallback));
}

function parseNames(value: string, earlier: string[]): string[] {
  const name = normalizeDnsName(value);
  if (name === null) throw new InvalidArgumentError('It must be a domain name like mail.example.com.');
  return [...earlier, name];
}

function parseDurationArgument(value: string): number {
  const milliseconds = parseDuration(value);
  if (milliseconds === null) throw new InvalidArgumentError('It must be like 500ms, 2s, 5m or 1h, and a day at most.');
  return milliseconds;
}

function parseTimes(value: string): number {
  const count = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (count === 0 || count > CONFIRM_MAX) throw new InvalidArgumentError(`It must be from 1 to ${CONFIRM_MAX}.`);
  return count;
}

function parseResults(value: string, earlier: FailOn[]): FailOn[] {
  const read = value.split(',').map((item) => FAIL_ON.find((result) => result === item.trim()));
  if (read.includes(undefined)) throw new InvalidArgumentError(`It must be of ${FAIL_ON.join(', ')}.`);
  return [...earlier, ...read.filter((item) => item !== undefined)];
}

function parseResolvers(value: string, earlier: Endpoint[] = []): Endpoint[] {
  const resolver = parseResolver(value);
  if (resolver === null) throw new InvalidArgumentError('It must be an address like 192.0.2.1 or 192.0.2.1:5353.');
  return [...earlier, resolver];
}

function serviceUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an address like https://api.example.com.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('It must hold nothing but the address.');
  }
  return url;
}
