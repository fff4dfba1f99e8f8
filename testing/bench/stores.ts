import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../programs/postgres.ts';
import type { Database } from '../../server/database/database.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { createToken, createWorkspace, listWorkspaces } from '../../server/workspaces/store.ts';

// Databases to measure on, the same on each engine but for what is random, kept in the folder BENCH_STORES if that is set: a large one
// takes minutes to fill, and a run that finds it starts at once.

export const START = Date.UTC(2024, 0, 1);

export type Engine = 'SQLite' | 'PostgreSQL';
export const ENGINES: readonly Engine[] = ['SQLite', 'PostgreSQL'];
/** The same data on each engine. */
export type Stores = {
  urlOf: (engine: Engine, size: number) => string;
  /** The process of the server of PostgreSQL. */
  serverPid: number;
  /** Stops the server that was started for them. */
  stop: () => Promise<void>;
};

/** Writes `count` rows of what is measured. */
type FillStore = (db: Database, workspace: Workspace, count: number) => Promise<void>;
/** `name`: what is measured, as in the names of the stores. */
type StoresPlan = { name: string; sizes: readonly number[]; fill: FillStore };

/**
 * Creates the missing stores in BENCH_STORES, else in `folder`. An unfinished store is never used. One engine after the
 * other: a large file holds the event loop for minutes, and no connection waits for so long.
 */
export async function openStores(folder: string, { name, sizes, fill }: StoresPlan): Promise<Stores> {
  const stores = process.env['BENCH_STORES'] ?? folder;
  mkdirSync(stores, { recursive: true });
  const server = await startPostgres({}, join(stores, 'postgres'));
  const fileOf = (size: number) => join(stores, `${name}-${size}.db`);
  const urlOf = (engine: Engine, size: number) =>
    engine === 'SQLite' ? `file:${fileOf(size)}` : databaseUrl(server.url, `${name}_${size}`);
  try {
    for (const size of sizes) {
      await makeFile(fileOf(size), size, fill);
      await createOnServer(server.url, `${name}_${size}`, (url) => fillStore(url, size, fill));
    }
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { urlOf, serverPid: server.pid, stop: server.stop };
}

async function makeFile(file: string, size: number, fill: FillStore): Promise<void> {
  if (existsSync(file)) return;
  const unfinished = `${file}.unfinished`;
  for (const part of ['', '-wal', '-shm']) rmSync(`${unfinished}${part}`, { force: true });
  await fillStore(`file:${unfinished}`, size, fill);
  renameSync(unfinished, file);
}

async function fillStore(url: string, size: number, fill: FillStore): Promise<void> {
  const db = await openDatabase(url);
  const workspace = await createWorkspace(db, { name: 'bench', identity_field: null }, START);
  await fill(db, workspace, size);
  await db.close();
}

/** `write` gets the address of an empty database. */
async function createOnServer(server: string, name: string, write: (url: string) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    await client.query(`drop database if exists ${name}_unfinished`);
    await client.query(`create database ${name}_unfinished`);
    await write(databaseUrl(server, `${name}_unfinished`));
    await client.query(`alter database ${name}_unfinished rename to ${name}`);
  } finally {
    await client.end();
  }
}

/** A new token for the workspace of a store. */
export async function makeToken(databaseUrl: string): Promise<string> {
  const database = await openDatabase(databaseUrl);
  try {
    const [workspace] = await listWorkspaces(database);
    if (workspace === undefined) throw new Error('There is no workspace to measure on.');
    return (await createToken(workspace, database, { name: 'bench', role: 'admin' }, Date.now())).token;
  } finally {
    await database.close();
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
