import { appendFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { CommandFailure } from '../admin/commandFailure.ts';
import { printable } from '../admin/printable.ts';
import { Terminal } from '../admin/terminal.ts';
import { BadSetting, readDnsServers } from '../settings/config.ts';
import { DnsClient } from '../dns/dnsClient.ts';
import { systemResolvers } from '../dns/resolvers.ts';
import { isReservedName } from '../domains/reservedNames.ts';
import { Baseline } from './baseline.ts';
import { expectedDomains, hasRecords } from './expectations.ts';
import { formatStepSummary } from './formats/formatGithub.ts';
import { formatNagiosFailure, nagiosCodeOf } from './formats/formatNagios.ts';
import { FORMATS } from './formats/formats.ts';
import { judgeBy } from './judge.ts';
import { readOptions } from './options.ts';
import { type DomainReport, exitCodeOf, type Report } from './report.ts';
import { Rounds } from './rounds.ts';
import { ServiceAway } from './serviceAway.ts';
import { WholeFile } from './wholeFile.ts';

const WRONG_USE = 2;
const NOT_ASKED = 3;

/**
 * `npm run dns-check -- ...` (docs/dns-check.md): gives its exit code. Results go to standard output, everything else to
 * standard error.
 */
export async function dnsCheck(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    // Commander has said what is wrong; 0 is for --help.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const isOurs = error instanceof CommandFailure || error instanceof BadSetting;
    if (!(error instanceof CommanderError)) process.stderr.write(`${isOurs ? error.message : inspect(error)}\n`);
    const code = error instanceof ServiceAway ? NOT_ASKED : WRONG_USE;
    // Nagios reads one line from standard output, also of those options that could not be read.
    if (!/(^| )--format[ =]nagios( |$)/.test(args.join(' '))) return code;
    process.stdout.write(formatNagiosFailure((error as Error).message));
    return nagiosCodeOf(code);
  }
}

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const { format, baseline: baselineFile, out, quiet = false } = options;
  const file = out === undefined ? null : new WholeFile(out);
  await file?.prepare();
  const domains = await expectedDomains(options);
  const baseline = baselineFile === undefined ? null : await Baseline.read(baselineFile);
  const resolvers = options.resolver ?? readDnsServers(process.env);
  const dnsClient = new DnsClient({
    resolvers: resolvers ?? systemResolvers(),
    authorities: options.authoritative,
    limits: { timeout: options.timeout, deadline: options.deadline },
  });
  const terminal = quiet ? null : new Terminal(process.stderr);
  const rounds = new Rounds(dnsClient, judgeBy(options.failOn, baseline), terminal, (fault) =>
    process.stderr.write(`${inspect(fault)}\n`),
  );
  const reports = await rounds.run(domains.filter(hasRecords), options);
  const report: Report = {
    domains: reports,
    withoutRecords: domains.flatMap((domain) => (hasRecords(domain) ? [] : domain.name)),
    fixed: baseline?.fixedIn(reports) ?? [],
  };
  if (resolvers === null) process.stderr.write(reservedNamesNote(reports));
  const code = exitCodeOf(reports.flatMap(({ lines }) => lines));
  const result = FORMATS[format](report);
  if (file !== null) await file.write(result);
  else if (!quiet || code !== 0) process.stdout.write(result);
  const { GITHUB_STEP_SUMMARY: summary = '' } = process.env;
  if (format === 'github' && summary !== '') await appendFile(summary, formatStepSummary(report));
  return format === 'nagios' ? nagiosCodeOf(code) : code;
}

/** Examples, like those of the demo, are not to be found where everybody looks, however right they are. */
function reservedNamesNote(reports: readonly DomainReport[]): string {
  const [first, ...more] = reports.filter(
    ({ domain, lines }) => isReservedName(domain.name) && exitCodeOf(lines) !== 0,
  );
  if (first === undefined) return '';
  const subject = `${printable(first.domain.name, 300)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  return `The public DNS does not hold ${subject}: such names are for examples. If a DNS of your own does, name its resolver with --resolver.\n`;
}
