import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from 'dns-packet';
import { programFile } from './programFile.ts';
import { type Misbehaviour, RESOLVER, startTestDns, type TestDns } from '../testDns.ts';
import { type ProgramOutput, runProgram } from './testProcess.ts';

type CommandSettings = {
  stdin?: string;
  env?: Record<string, string>;
  program?: readonly [node: string, ...args: string[]];
};

export type TestCommand = AsyncDisposable & {
  dns: TestDns;
  folder: string;
  resolverAnswers: Map<string, () => Misbehaviour>;
  run: (args: string[], setting?: CommandSettings) => Promise<ProgramOutput>;
  check: (records: object[], args?: string[], setting?: CommandSettings) => Promise<ProgramOutput>;
};

export const DOMAIN = 'example.test';
const MAIL_FROM = `mail.${DOMAIN}`;
/** A domain with these gets no advice. */
export const WELL_CONFIGURED_ZONE: Answer[] = [
  { type: 'A', name: DOMAIN, data: '192.0.2.1' },
  { type: 'TXT', name: `_dmarc.${DOMAIN}`, data: 'v=DMARC1; p=reject' },
  { type: 'MX', name: MAIL_FROM, data: { preference: 10, exchange: 'feedback.provider.test' } },
  { type: 'TXT', name: MAIL_FROM, data: 'v=spf1 ip4:192.0.2.1 ~all' },
];

export async function startTestCommand(): Promise<TestCommand> {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-dns-check-'));
  const dns = await startTestDns();
  const resolverAnswers: TestCommand['resolverAnswers'] = new Map();
  dns.misbehave[RESOLVER] = ({ name }) => resolverAnswers.get(name)?.();
  const run: TestCommand['run'] = (
    args,
    { stdin = '', env = {}, program = [process.execPath, programFile('dnsCheck')] as const } = {},
  ) =>
    runProgram([...program, ...args], {
      stdin,
      cwd: folder,
      env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DNS_SERVERS: dns.addresses.resolver, ...env },
    });
  return {
    dns,
    folder,
    resolverAnswers: resolverAnswers,
    run,
    check: (records, args = [], setting = {}) =>
      run(['--expect', '-', ...args], {
        ...setting,
        stdin: JSON.stringify({ name: DOMAIN, mail_from_domain: MAIL_FROM, dns: records }),
      }),
    [Symbol.asyncDispose]: async () => {
      await dns[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
