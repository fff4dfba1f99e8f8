import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ShippedPackage } from './shippedPackages.ts';

const ROOT = join(import.meta.dirname, '..');

type Report = { message?: string; vulnerabilities?: Record<string, { severity: string; range: string }> };
/** `faults` are sentences; null where the registry has no audit. */
export type AuditResult = { vulnerabilities: string[] | null; summary: string };

/** The known vulnerabilities of the shipped packages, from the registry that this machine is set to. */
export async function audit(shipped: readonly ShippedPackage[]): Promise<AuditResult> {
  const child = spawn('npm', ['audit', '--json', '--fetch-retries=0'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  const report = JSON.parse(await text(child.stdout)) as Report;
  await closed;
  if (report.vulnerabilities === undefined) {
    return {
      vulnerabilities: null,
      summary: `Not audited, because the registry does not tell: ${report.message ?? 'no reason'}`,
    };
  }
  const names = new Set(shipped.map(({ name }) => name));
  const faults = Object.entries(report.vulnerabilities)
    .filter(([name]) => names.has(name))
    .map(([name, { severity, range }]) => `${name} ${range} has a known vulnerability (${severity}).`);
  return {
    vulnerabilities: faults,
    summary: `${names.size} packages audited, ${faults.length} with a known vulnerability.`,
  };
}
