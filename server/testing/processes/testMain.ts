import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programFile } from './programFile.ts';

export type TestMain = {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<number | string>;
  stop: () => Promise<number | string>;
  address: Promise<string>;
};

const running = new Set<ChildProcess>();

export function startMain(
  env: Readonly<Record<string, string | undefined>>,
  options: string[] = [],
  program = programFile('main'),
): TestMain {
  const child = spawn(process.execPath, [...options, program, '--without-console'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PORT: '0', ...env },
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  const address = Promise.withResolvers<string>();
  // Unused if the start fails.
  address.promise.catch(() => undefined);
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    const found = /^Sendroom runs at (\S+)$/m.exec(stdout)?.[1];
    if (found !== undefined) address.resolve(found);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
    running.delete(child);
    address.reject(new Error(`It ended before it was ready: ${stdout}${stderr}`));
    return (code ?? signal) as number | string;
  });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, stdout: () => stdout, stderr: () => stderr, ended, stop, address: address.promise };
}

export type StartedService = {
  address: string;
  pid: number;
  isRunning: () => boolean;
  /** Like a power cut. */
  kill: () => Promise<void>;
};

export async function startService(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedService> {
  const { child, address, ended } = startMain({
    DATABASE_URL: url,
    DEMO: 'off',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'fatal',
    DNS_RECHECK: 'off',
    ...settings,
  });
  return {
    address: await address,
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export function killServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

export function signInLink(printed: string): { address: string; code: string } | null {
  const [, address = '', code = ''] = /(http\S+)\/sign-in#code=(\S+)$/m.exec(printed) ?? [];
  return code === '' ? null : { address, code };
}

export function signInByLink(address: string, code = ''): Promise<Response> {
  return fetch(`${address}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sendroom-console': '1' },
    body: JSON.stringify({ code }),
  });
}
