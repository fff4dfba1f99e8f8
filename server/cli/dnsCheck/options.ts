import { Command, InvalidArgumentError, Option } from 'commander';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import { type AuthoritativeMode, LIMITS } from '../../dns/conversation/dnsClient.ts';
import type { Endpoint } from '../../dns/wire/transport.ts';
import { parseResolver } from '../../dns/conversation/resolvers.ts';
import { VERSION } from '../../settings/program.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { RECORD_FILES, type RecordFileKind } from '#contract/recordFiles/recordFile.ts';
import { FORMATS, type Format } from './formats/formats.ts';
import { FAIL_ON, type FailOn } from './failurePolicy.ts';

/** The options of the command. Durations are milliseconds. */
export type DnsCheckOptions = {
  expect?: string;
  baseUrl?: URL;
  tokenFile?: string;
  domain: string[];
  resolver?: Endpoint[];
  authoritative: AuthoritativeMode;
  timeout: number;
  deadline: number;
  wait?: number;
  interval: number;
  confirm: number;
  baseline?: string;
  only?: 'problems';
  advice?: true;
  notBulk?: true;
  failOn: FailOn[];
  format: Format;
  fixes?: RecordFileKind;
  out?: string;
  quiet?: true;
};

/** Formats that may leave something out: a baseline and a monitor need everything. */
const LISTS: readonly Format[] = ['text', 'csv', 'ndjson'];

/** Milliseconds. */
const INTERVAL = 30_000;
const CONFIRM_MAX = 10;

/** Parses the arguments. Throws `CommanderError` after it has printed the error. */
export function readOptions(args: readonly string[]): DnsCheckOptions {
  const program = createProgram();
  program.parse(args, { from: 'user' });
  const options = program.opts<DnsCheckOptions>();
  if (options.expect === undefined && options.baseUrl === undefined) {
    program.error('error: --expect or --base-url is required');
  }
  if (options.only !== undefined && !LISTS.includes(options.format)) {
    program.error(`error: --only works with ${LISTS.join(', ')}; other formats are always complete`);
  }
  return options;
}

function createProgram(): Command {
  const isScript = process.env['npm_lifecycle_event'] === 'dns-check';
  return new Command(isScript ? 'npm run dns-check --' : 'sendroom-dns-check')
    .description(
      'Compares the DNS records that sending domains need with what is published now, and says what to change.',
    )
    .version(VERSION, '--version', 'print the version')
    .option('--expect <file>', 'domains or records as JSON, or zone-file text; - is standard input')
    .addOption(option('--base-url <url>', 'a service that knows the domains').argParser(serviceUrl).conflicts('expect'))
    .option('--token-file <file>', "file with the service's token, instead of SENDROOM_TOKEN")
    .addOption(option('--domain <name>', 'only this domain; repeatable').argParser(parseNames).default([], 'all'))
    .option(
      '--resolver <address>',
      "query this resolver instead of DNS_SERVERS or the system's; repeatable",
      parseResolvers,
    )
    .addOption(
      option('--authoritative <when>', "query the domains' name servers too; on: trust only them")
        .choices(['auto', 'on', 'off'])
        .default('auto'),
    )
    .addOption(durationOption('--timeout', 'for one query', LIMITS.timeout))
    .addOption(durationOption('--deadline', 'for one domain, in each round', LIMITS.deadline))
    .option('--wait <duration>', 'repeat until everything is ok, for example for 30m', parseDurationArgument)
    .addOption(durationOption('--interval', 'pause between rounds', INTERVAL))
    .addOption(
      option('--confirm <times>', 'a record fails only if it fails this many times in a row; not with --wait')
        .argParser(parseTimes)
        .default(1)
        .conflicts('wait'),
    )
    .option(
      '--baseline <file>',
      'accept the faults in this earlier report of --format json, or saved list of accepted faults',
    )
    .addOption(
      option('--fail-on <results>', `also exit with 1 for these: ${FAIL_ON.join(',')}`)
        .argParser(parseResults)
        .default([], 'fail'),
    )
    .addOption(option('--only <what>', 'list only what changes the exit code').choices(['problems']))
    .option('--advice', 'also advise on incoming mail: MTA-STS, TLS reports and DANE')
    .option('--not-bulk', "the domains don't send in bulk, so that receivers require less")
    .addOption(option('--format <format>', 'output format').choices(Object.keys(FORMATS)).default('text'))
    .addOption(
      option('--fixes <format>', 'write what must change as a file of this format, instead of the report')
        .choices(Object.keys(RECORD_FILES))
        .conflicts(['format', 'only']),
    )
    .option('--out <file>', 'write the report or the file to this path, atomically')
    .option('-q, --quiet', 'no output if the exit code is 0')
    .addHelpText(
      'after',
      "\nExit code: 0 ok, 1 a record or advice failed, 2 usage or token error, 3 something couldn't be queried, 4 only pending.",
    )
    .allowExcessArguments(false)
    .showHelpAfterError('Run with --help to list the options.')
    .exitOverride();
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
  if (read.includes(undefined)) throw new InvalidArgumentError(`Use ${FAIL_ON.join(', ')}.`);
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
    throw new InvalidArgumentError('It must contain only the address.');
  }
  return url;
}
