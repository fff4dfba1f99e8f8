import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type StartedService = {
  address: string;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill: () => Promise<void>;
};

const running = new Set<ChildProcess>();

/** Starts the service as a process of its own on the data at `url`, without the console, and waits until it is ready. */
export async function startService(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedService> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--without-console'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: url,
      DEMO: 'off',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'fatal',
      DNS_RECHECK: 'off',
      ...settings,
    },
  });
  running.add(child);
  const ended = once(child, 'exit').then(() => running.delete(child));
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^Sendroom runs at (\S+)$/m.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The service ended before it was ready: ${output}`)));
  });
  return {
    address,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Whatever a test that failed has left running. */
export function killServices(): void {
  for (const child of running) child.kill('SIGKILL');
}
