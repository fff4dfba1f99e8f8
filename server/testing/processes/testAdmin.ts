import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { COPIED_TABLES } from '../../database/copyTables.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/openDatabase.ts';
import { programFile } from './programFile.ts';
import { createMigratedStorage } from '../testDatabase.ts';
import { type ProgramOutput, runProgram } from './testProcess.ts';
import type { Workspace } from '../../database/workspace.ts';
import { createWorkspace } from '../../workspaces/store.ts';

export type AdminOutput = ProgramOutput & {
  result: () => unknown;
};

/** The admin command as a process, on its own database, which a service (this process) has open all the time. */
export type TestAdmin = AsyncDisposable & {
  database: Database;
  /** The address of the database. */
  url: string;
  workspace: Workspace;
  admin: (
    args: string[],
    input?: {
      stdin?: string | (() => Promise<string>);
      url?: string;
      settings?: Record<string, string>;
      signal?: AbortSignal;
    },
  ) => Promise<AdminOutput>;
  /** `import resource file --workspace ... --json`. */
  importFile: (resource: string, file: string, ...more: string[]) => Promise<AdminOutput>;
  file: (name: string, content?: string | Buffer) => Promise<string>;
  rows: () => Promise<Record<string, unknown[]>>;
};

export async function startTestAdmin(): Promise<TestAdmin> {
  const place = await createMigratedStorage();
  const { url: databaseUrl, folder } = place;
  const database = await openDatabase(databaseUrl, { isService: true });
  const workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, Date.now());
  const admin: TestAdmin['admin'] = async (args, { stdin = '', url = databaseUrl, settings, signal } = {}) => {
    const env = { DATABASE_URL: url, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings };
    const output = await runProgram([process.execPath, programFile('admin'), ...args], {
      stdin,
      cwd: folder,
      env,
      signal,
    });
    return { ...output, result: () => JSON.parse(output.out.trimEnd().split('\n').at(-1) ?? '') as unknown };
  };

  return {
    database,
    url: databaseUrl,
    workspace,
    admin,
    importFile: (resource, file, ...more) =>
      admin(['import', resource, file, '--workspace', workspace.uuid, '--json', ...more]),
    async file(name, content) {
      const path = join(folder, name);
      if (content !== undefined) await writeFile(path, content, { mode: 0o600 });
      return path;
    },
    async rows() {
      const tables = COPIED_TABLES.map(async (table) => {
        const rows = await database.unscoped.kysely.selectFrom(table).selectAll().execute();
        return [table, rows.map((row) => ({ ...row, mark: undefined }))];
      });
      return Object.fromEntries(await Promise.all(tables)) as Record<string, unknown[]>;
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

export async function writeUntilEnded(
  command: Promise<AdminOutput>,
  write: () => Promise<unknown>,
): Promise<AdminOutput> {
  const state = { isDone: false };
  const ended = command.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await write();
    await setImmediate();
  }
  return ended;
}

export function ndjson(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
