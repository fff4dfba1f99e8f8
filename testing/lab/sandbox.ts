import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type NameServerProgram, type NameServers, obtainNameServers } from '../programs/nameServers.ts';

/** The ids of Debian's nobody and nogroup. */
const NOBODY_USER = { uid: 65_534, gid: 65_534 };

/** A temporary folder for name servers, which run as a user without rights if this process is root. */
export type Sandbox = AsyncDisposable & {
  folder: (name: string) => Promise<string>;
  /** Writes a file and gives its path. */
  write: (name: string, text: string) => Promise<string>;
  /** Runs a program to its end, and returns its output. */
  run: (program: NameServerProgram, ...args: string[]) => Promise<string>;
  /** Starts a program that keeps running. */
  start: (program: NameServerProgram, ...args: string[]) => RunningProcess;
};

/** Rejects, with the output of the program, if it ends before it is stopped. */
export type RunningProcess = { unexpectedExit: Promise<never> };

/** Creates the folder. Throws one sentence if this machine lacks a program and none can be unpacked. */
export async function createSandbox(): Promise<Sandbox> {
  const root = await mkdtemp(join(tmpdir(), 'sendroom-lab-'));
  const remove = () => rm(root, { recursive: true, force: true });
  let programs: NameServers;
  try {
    programs = obtainNameServers(join(root, 'programs'));
  } catch (error) {
    await remove();
    throw error;
  }
  const { paths, env } = programs;
  const user = process.getuid?.() === 0 ? NOBODY_USER : null;
  const own = async (path: string) => {
    if (user !== null) await chown(path, user.uid, user.gid);
    return path;
  };
  await own(root);
  const children: ChildProcess[] = [];
  const failures: Promise<never>[] = [];
  const options = { cwd: root, env, ...user };

  return {
    folder: async (name) => {
      await mkdir(join(root, name), { recursive: true });
      return own(join(root, name));
    },
    write: async (name, text) => {
      await writeFile(join(root, name), text);
      return own(join(root, name));
    },
    run: async (program, ...args) => (await promisify(execFile)(paths[program], args, options)).stdout,
    start: (program, ...args) => {
      // It ends with this process, also when this one is killed.
      const bound = ['--pdeathsig', 'TERM', paths[program], ...args];
      const child = spawn('setpriv', bound, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
      children.push(child);
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-2000);
      });
      const failure = once(child, 'close').then(() => {
        throw new Error(`${program} ended: ${said}`);
      });
      failure.catch(() => {});
      failures.push(failure);
      return { unexpectedExit: failure };
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill();
      await Promise.allSettled(failures);
      await remove();
    },
  };
}
