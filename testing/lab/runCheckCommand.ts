import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { Finding } from '#contract/domains/dnsCheck.ts';
import { ReadableDnsRecord } from '#contract/domains/domain.ts';

const CLI = join(import.meta.dirname, '../../server/dnsCheck.ts');
/** Shortens the start of the command. */
const CACHE = join(tmpdir(), 'sendroom-dns-check-compiled');

const RecordLine = z.object({ domain: z.string(), ...ReadableDnsRecord.shape, ...Finding.shape });
export type RecordLine = z.infer<typeof RecordLine>;
const AdviceLine = z.object({ domain: z.string(), about: z.string(), ...Finding.shape });
export type AdviceLine = z.infer<typeof AdviceLine>;

/** The output of `--format json`. */
const CheckOutput = z.object({
  records: z.array(RecordLine),
  advice: z.array(AdviceLine),
  watched: z.array(AdviceLine),
});
export type CheckOutput = z.infer<typeof CheckOutput>;

/** A domain as the service lists it. */
export type ListedDomain = {
  name: string;
  mail_from_domain: string | null;
  dns: readonly { type: string; name: string; value: string; is_valid: boolean }[];
};

/** Runs `npm run dns-check` for domains, as a process, and returns its report. */
export async function runCheckCommand(
  domains: readonly ListedDomain[],
  args: readonly string[],
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [CLI, '--expect', '-', ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: CACHE },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(domains));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

/** Its findings and its errors. Throws if it does not complete. */
export async function runCheck(
  domains: readonly ListedDomain[],
  args: readonly string[],
): Promise<CheckOutput & { complaints: string }> {
  const { code, out, err } = await runCheckCommand(domains, [...args, '--format', 'json']);
  if (code === null || ![0, 1, 3, 4].includes(code) || out === '') throw new Error(`It ended with ${code}: ${err}`);
  return { ...z.parse(CheckOutput, JSON.parse(out)), complaints: err };
}
