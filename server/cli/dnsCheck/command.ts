import { appendFile, access, rename, rm, stat, writeFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { toPrintable } from '../terminal/printable.ts';
import { Terminal, CommandError } from '../terminal/terminal.ts';
import { SettingError, readDnsServers } from '../../settings/config.ts';
import { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { systemResolvers } from '../../dns/conversation/resolvers.ts';
import { Baseline } from './baseline.ts';
import { loadExpectedDomains, hasRecords, readToken } from './loadExpectedDomains.ts';
import { formatStepSummary } from './formats/formatGithub.ts';
import { formatNagiosError, nagiosCodeOf } from './formats/formatNagios.ts';
import { formatFixes } from './formats/formatFixes.ts';
import { FORMATS } from './formats/formats.ts';
import { createFailurePolicy } from './failurePolicy.ts';
import { type DnsCheckOptions, readOptions } from './options.ts';
import { type DomainReport, exitCodeOf, type CheckReport } from './report.ts';
import { checkDomains } from './checkRounds.ts';
import { isReservedName } from '../../domains/domainRow.ts';
import { fetchAcceptances, ServiceUnavailableError } from './fetchDomains.ts';
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { toCommandError, resolveCallerPath } from '../terminal/files.ts';

const WRONG_USE = 2;
const NOT_ASKED = 3;

/** Returns the exit code (docs/dns-check.md). Only results go to standard output. */
export async function dnsCheck(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    // Commander has printed the error, or the help (exit code 0).
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const isOurs = error instanceof CommandError || error instanceof SettingError;
    if (!(error instanceof CommanderError)) process.stderr.write(`${isOurs ? error.message : inspect(error)}\n`);
    const isOutside = error instanceof ServiceUnavailableError || error instanceof OutputError;
    const code = isOutside ? NOT_ASKED : WRONG_USE;
    // Nagios reads one line from standard output, even if the options are invalid.
    if (!/(^| )--format[ =]nagios( |$)/.test(args.join(' '))) return code;
    process.stdout.write(formatNagiosError((error as Error).message));
    return nagiosCodeOf(code);
  }
}

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const { format, out, quiet = false } = options;
  const file = out === undefined ? null : new AtomicFile(out);
  await file?.prepare();
  const domains = await loadExpectedDomains(options);
  const baseline = await loadBaseline(options);
  const resolvers = options.resolver ?? readDnsServers(process.env);
  const dnsClient = new DnsClient({
    resolvers: resolvers ?? systemResolvers(),
    authoritativeMode: options.authoritative,
    limits: { timeout: options.timeout, deadline: options.deadline },
  });
  const terminal = quiet ? null : new Terminal(process.stderr);
  const advice = {
    onError: (error: unknown) => process.stderr.write(`${inspect(error)}\n`),
    advisesOnIncoming: options.advice === true,
  };
  const checker = { dnsClient, failurePolicy: createFailurePolicy(options.failOn, baseline), terminal, advice };
  const reports = await checkDomains(checker, domains.filter(hasRecords), options);
  const report: CheckReport = {
    domains: reports,
    withoutRecords: domains.flatMap((domain) => (hasRecords(domain) ? [] : domain.name)),
    fixed: baseline?.listFixed(reports) ?? [],
    isOfService: options.baseUrl !== undefined,
    showsOnlyProblems: options.only !== undefined,
  };
  if (resolvers === null) process.stderr.write(reservedNamesNote(reports));
  const code = exitCodeOf(reports.flatMap(({ lines }) => lines));
  const result = options.fixes === undefined ? FORMATS[format](report) : formatFixes(options.fixes, report);
  if (file !== null) await file.write(result);
  else if (!quiet || code !== 0) await writeToStandardOutput(result);
  const { GITHUB_STEP_SUMMARY: summary = '' } = process.env;
  if (format === 'github' && summary !== '') {
    await appendFile(summary, formatStepSummary(report)).catch((error: unknown) => {
      throw toOutputError(error, summary);
    });
  }
  return format === 'nagios' ? nagiosCodeOf(code) : code;
}

/** What an earlier report accepts, and what somebody accepts in the service. Null without both. */
async function loadBaseline(options: DnsCheckOptions): Promise<Baseline | null> {
  const { baseline: file, baseUrl } = options;
  if (file === undefined && baseUrl === undefined) return null;
  const baseline = new Baseline();
  if (file !== undefined) await baseline.read(file);
  if (baseUrl !== undefined) baseline.add(await fetchAcceptances(baseUrl, await readToken(options)));
  return baseline;
}

/** A note if reserved names, like the demo's, aren't OK: the public DNS doesn't have them. */
function reservedNamesNote(reports: readonly DomainReport[]): string {
  const [first, ...more] = reports.filter(
    ({ domain, lines }) => isReservedName(domain.name) && exitCodeOf(lines) !== 0,
  );
  if (first === undefined) return '';
  const subject = `${toPrintable(first.domain.name, 300)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  return `${subject} is reserved for examples and isn't in the public DNS. If it's in your own DNS, pass its resolver with --resolver.\n`;
}

class OutputError extends CommandError {}

function writeToStandardOutput(result: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(result, (error) => {
    if (error) reject(new OutputError('Standard output was closed before the whole report was written.'));
    else resolve();
  });
  return promise;
}

function toOutputError(error: unknown, name: string): unknown {
  const known = toCommandError(error, name, 'write');
  return known instanceof CommandError ? new OutputError(known.message) : known;
}

/** A file that is replaced at once, by renaming a temporary file. Methods throw `OutputError`. */
class AtomicFile {
  readonly #path: string;
  readonly #name: string;

  constructor(file: string) {
    this.#path = resolveCallerPath(file);
    this.#name = toPrintable(file, 200);
  }

  /** Fails before the long check if the file can't be written. */
  async prepare(): Promise<void> {
    try {
      await access(dirname(this.#path), constants.W_OK);
      const existing = await stat(this.#path).catch(() => null);
      // Renaming would replace a device like /dev/stdout.
      if (existing !== null && !existing.isFile()) throw new CommandError(`${this.#name} isn't a regular file.`);
    } catch (error) {
      throw toOutputError(error, this.#name);
    }
  }

  async write(content: string): Promise<void> {
    const temporary = `${this.#path}.${process.pid}`;
    try {
      await writeFile(temporary, content);
      await rename(temporary, this.#path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw toOutputError(error, this.#name);
    }
  }
}
