import { text } from 'node:stream/consumers';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { CommandFailure } from './admin/commandFailure.ts';
import { openInput } from './admin/files.ts';
import { printable } from './admin/printable.ts';
import { BadSetting, readDnsServers } from './config.ts';
import { Asker } from './dns/asker.ts';
import { checkWholeDomain, type RecordCheck } from './dns/checkDomain.ts';
import type { Endpoint } from './dns/exchange.ts';
import type { SendingDomain } from './dns/expectation.ts';
import { foldName } from './dns/names.ts';
import { parseResolver, systemResolvers } from './dns/resolvers.ts';
import { readExpectations } from './dnsCheck/expectFile.ts';
import { fetchDomains } from './dnsCheck/listedDomains.ts';
import { countResults, exitCodeOf, formatCounts, formatJson, formatText, resultOfRecord } from './dnsCheck/report.ts';

// `npm run dns-check -- ...` (docs/dns-check.md). Results go to standard output, everything else to standard error.

/** Domains that are checked side by side. */
const DOMAINS_AT_ONCE = 4;
const NOT_ASKED = 2;

type Options = {
  expect?: string;
  baseUrl?: URL;
  tokenFile?: string;
  domain?: string[];
  resolver?: Endpoint[];
  authoritative: 'auto' | 'off';
  format: 'text' | 'json' | 'ndjson';
};

const program = new Command('npm run dns-check --')
  .description(
    'Compares the DNS records that sending domains need with what is published now, and says what to change.',
  )
  .addOption(new Option('--expect <file>', 'domains or records as JSON, or zone-file text; - is standard input'))
  .addOption(
    new Option('--base-url <url>', 'a service that knows the domains').argParser(serviceUrl).conflicts('expect'),
  )
  .option('--token-file <file>', 'file with the token for the service, in place of SENDROOM_TOKEN')
  .option('--domain <name>', 'only this domain; can be given again', collect)
  .option(
    '--resolver <address>',
    'ask this resolver, in place of DNS_SERVERS or those of the system; can be given again',
    resolvers,
  )
  .addOption(
    new Option('--authoritative <when>', 'ask the name servers of the domains too')
      .choices(['auto', 'off'])
      .default('auto'),
  )
  .addOption(
    new Option('--format <format>', 'how results are written').choices(['text', 'json', 'ndjson']).default('text'),
  )
  .addHelpText(
    'after',
    '\nExit code: 0 all right, 1 a record is wrong, 2 wrong use or something could not be asked, 4 only pending.',
  )
  .allowExcessArguments(false)
  .showHelpAfterError('Add --help to see what can be said.')
  .exitOverride()
  .action(run);

await program.parseAsync().catch(fail);

async function run(options: Options): Promise<void> {
  const domains = await expectedDomains(options);
  const asker = new Asker({
    resolvers: options.resolver ?? configuredResolvers(),
    authorities: options.authoritative,
  });
  const checks: RecordCheck[] = [];
  for (let start = 0; start < domains.length; start += DOMAINS_AT_ONCE) {
    const some = domains.slice(start, start + DOMAINS_AT_ONCE);
    const done = await Promise.all(some.map((domain) => checkWholeDomain(asker, domain)));
    for (const [index, { records: ofDomain }] of done.entries()) {
      if (options.format === 'text') console.log(`${printable(some[index]?.name ?? '', 300)}\n`);
      for (const check of ofDomain) {
        if (options.format === 'text') console.log(`${formatText(check)}\n`);
        if (options.format === 'ndjson') console.log(formatJson(resultOfRecord(check)));
      }
      checks.push(...ofDomain);
    }
  }
  const counts = countResults(checks);
  if (options.format === 'text') console.log(formatCounts(counts));
  if (options.format === 'json') console.log(formatJson({ schema: 1, counts, records: checks.map(resultOfRecord) }));
  process.exitCode = exitCodeOf(checks);
}

/** What to check, by name. A job that checks nothing must not look like one that found nothing. */
async function expectedDomains(options: Options): Promise<SendingDomain[]> {
  const { expect, baseUrl, domain: wanted = [] } = options;
  const all =
    baseUrl === undefined
      ? await readExpectations(expect ?? program.error('error: say --expect or --base-url'), wanted[0] ?? null)
      : await fetchDomains(baseUrl, await token(options));
  const isWanted = ({ name }: SendingDomain) =>
    wanted.length === 0 || wanted.some((one) => foldName(one) === foldName(name));
  const missing = wanted.find((one) => !all.some(({ name }) => foldName(name) === foldName(one)));
  if (missing !== undefined) throw new CommandFailure(`There is no domain ${printable(missing, 300)} to check.`);
  const domains = all.filter((domain) => isWanted(domain) && (domain.dns ?? []).length > 0);
  if (domains.length === 0) throw new CommandFailure('There are no records to check.');
  return domains.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function token({ tokenFile }: Options): Promise<string> {
  const given = tokenFile === undefined ? process.env['SENDROOM_TOKEN'] : await text(openInput(tokenFile).source);
  const value = given?.trim() ?? '';
  if (value === '') throw new CommandFailure('Put the token into SENDROOM_TOKEN, or into a file for --token-file.');
  if (!/^[\x21-\x7e]+$/.test(value)) throw new CommandFailure('The token holds characters that no token has.');
  return value;
}

function configuredResolvers(): Endpoint[] {
  try {
    return readDnsServers(process.env) ?? systemResolvers();
  } catch (error) {
    if (error instanceof BadSetting) throw new CommandFailure(error.message);
    throw error;
  }
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

function resolvers(value: string, earlier: Endpoint[] = []): Endpoint[] {
  const resolver = parseResolver(value);
  if (resolver === null) throw new InvalidArgumentError('It must be an address like 192.0.2.1 or 192.0.2.1:5353.');
  return [...earlier, resolver];
}

function serviceUrl(value: string): URL {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an address like https://api.example.com.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('It must hold nothing but the address.');
  }
  return url;
}

function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; 0 is for --help.
    process.exitCode = error.exitCode === 0 ? 0 : NOT_ASKED;
    return;
  }
  process.exitCode = NOT_ASKED;
  console.error(error instanceof CommandFailure ? error.message : error);
}
