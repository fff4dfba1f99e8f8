import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const START_SECONDS = 60;

export type Sendroom = {
  url: string;
  /** Empty without a demo. */
  signInLink: string;
  output: () => string;
  processId: number;
  databaseUrl: string;
  stop: () => Promise<void>;
};

/** As `npm start` does, on a free port. */
export async function startSendroom(env: Record<string, string>): Promise<Sendroom> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '0',
      DNS_RECHECK: 'off',
      ...env,
    },
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const exited = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<{ url: string; signInLink: string }>();
  let output = '';
  const listen = (chunk: Buffer) => {
    output += chunk.toString();
    const url = /^Sendroom runs at (\S+)$/m.exec(output)?.[1];
    const signInLink = env.DEMO === 'off' ? '' : /(https?:\S+\/sign-in#code=\S+)$/m.exec(output)?.[1];
    if (url !== undefined && signInLink !== undefined) ready.resolve({ url, signInLink });
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.on('error', ready.reject);
  child.on('exit', (code) => {
    process.off('exit', end);
    ready.reject(new Error(`The service ended with ${code} before it was ready:\n${output}`));
    exited.resolve();
  });
  const timer = setTimeout(() => {
    end();
    ready.reject(new Error(`The service was not ready after ${START_SECONDS} s:\n${output}`));
  }, START_SECONDS * 1000);
  const { url, signInLink } = await ready.promise.finally(() => clearTimeout(timer));
  return {
    url,
    signInLink,
    output: () => output,
    processId: child.pid ?? 0,
    databaseUrl: env.DATABASE_URL ?? '',
    stop: async () => {
      child.kill('SIGTERM');
      await exited.promise;
    },
  };
}
