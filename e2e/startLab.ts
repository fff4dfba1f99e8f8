import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Real name servers on this machine (server/dns/lab), for a service that is started with `DNS_SERVERS` set to `resolver`. */
export type Lab = {
  resolver: string;
  /** Puts a zone in place of the one before: zone-file text without its SOA and name servers. */
  publish: (zone: string, text: string) => Promise<void>;
  stop: () => Promise<void>;
};

export async function startLab(): Promise<Lab> {
  const child = spawn(process.execPath, ['server/dns/lab/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, string>> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The lab ended; what it said is above.');
    return JSON.parse(value) as Record<string, string>;
  };
  const { resolver = '' } = await next();
  return {
    resolver,
    publish: async (zone, text) => {
      child.stdin.write(`${JSON.stringify({ zone, text })}\n`);
      const { error } = await next();
      if (error !== undefined) throw new Error(error);
    },
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
