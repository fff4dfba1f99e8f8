import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Real name servers in the network namespace of this process (lab/main.ts). A service uses them if `DNS_SERVERS` names
 * a resolver of them.
 */
export type Lab = {
  /** Addresses by the names of lab/addresses.ts: `validating` works, others are faulty. */
  resolvers: Readonly<Record<string, string>>;
  /**
   * Replaces a zone: zone-file text without its SOA and name servers, which are the default ones unless `ns` is given.
   */
  publish: (name: string, text: string, ns?: readonly string[]) => Promise<void>;
  stop: () => Promise<void>;
};

type LabMessage = { resolvers?: Lab['resolvers']; published?: string; error?: string };

export async function startLab(): Promise<Lab> {
  const child = spawn(process.execPath, ['lab/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<LabMessage> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('The lab ended; what it said is above.');
    return JSON.parse(value) as LabMessage;
  };
  const { resolvers = {} } = await next();
  return {
    resolvers,
    publish: async (name, text, ns) => {
      child.stdin.write(`${JSON.stringify({ name, text, ns })}\n`);
      const { error } = await next();
      if (error !== undefined) throw new Error(error);
    },
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
