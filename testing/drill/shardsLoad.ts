import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../server/database/database.ts';
import { CommitUncertainError } from '../../server/database/databaseErrors.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { createWorkspace } from '../../server/workspaces/store.ts';
import { createWriters, type WriteAnswer, type Writers } from '../../server/testing/testWriters.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { type Cluster, onNode } from '../programs/citus.ts';

const WRITERS = 2;
const PAUSE_MS = 150;
const CREATE_PAUSE_MS = 50;

/** A workspace that is written and read all the time. */
export type LoadedWorkspace = { workspace: Workspace; writers: Writers; reads: WriteAnswer[] };

/** Workspaces under load by all services, and a command that creates workspaces meanwhile: its writes concern two machines. */
export class ShardsLoad {
  readonly all: readonly LoadedWorkspace[];
  readonly #addresses: readonly string[];
  readonly #database: Database;
  /** By name: whether the command was told that it was created, that it was not, or neither. */
  readonly created = new Map<string, 'created' | 'refused' | 'uncertain'>();
  #isStopped = true;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(all: readonly LoadedWorkspace[], addresses: readonly string[], database: Database) {
    this.all = all;
    this.#addresses = addresses;
    this.#database = database;
  }

  static async open(url: string, count: number, addresses: readonly string[]): Promise<ShardsLoad> {
    const all: LoadedWorkspace[] = [];
    for (let at = 0; at < count; at++) all.push({ ...(await createWriters(url, WRITERS)), reads: [] });
    return new ShardsLoad(all, addresses, await openDatabase(url, { isService: true }));
  }

  start(): void {
    this.#isStopped = false;
    for (const { writers } of this.all) writers.start(this.#addresses, PAUSE_MS);
    this.#running = Promise.all([...this.all.map((one, at) => this.#read(one, at)), this.#create()]);
  }

  /** Until each workspace has `count` more acknowledged writes. */
  waitForWrites(count: number, among = this.all): Promise<unknown> {
    return Promise.all(among.map(({ writers }) => writers.waitForWrites(count)));
  }

  /** Stops, and compares what was acknowledged with what is there. */
  async stop(): Promise<{ faults: string[]; found: number; more: number }> {
    this.#isStopped = true;
    await Promise.all([this.#running, ...this.all.map(({ writers }) => writers.stop())]);
    const compared = await Promise.all(this.all.map(({ writers }) => writers.compare(this.#addresses[0] ?? '')));
    return {
      faults: compared.flatMap(({ faults }) => faults),
      found: compared.reduce((sum, { found }) => sum + found, 0),
      more: compared.reduce((sum, { more }) => sum + more, 0),
    };
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #read({ writers, reads }: LoadedWorkspace, first: number): Promise<void> {
    const headers = { authorization: `Bearer ${writers.token}` };
    for (let turn = first; !this.#isStopped; turn++) {
      const address = this.#addresses[turn % this.#addresses.length] ?? '';
      const sent = performance.now();
      const note = (status: WriteAnswer['status'], retryAfter: string | null) =>
        void reads.push({ status, sent, at: performance.now(), retryAfter });
      try {
        const signal = AbortSignal.timeout(20_000);
        const response = await fetch(`${address}/v1/contacts/c0@example.com`, { headers, signal });
        await response.text();
        note(response.status, response.headers.get('retry-after'));
      } catch (error) {
        note((error as Error).name === 'TimeoutError' ? 'hung' : 'broken', null);
      }
      await delay(PAUSE_MS);
    }
  }

  async #create(): Promise<void> {
    while (!this.#isStopped) {
      const name = `created ${this.created.size}`;
      try {
        await createWorkspace(this.#database, { name, identity_field: null }, Date.now());
        this.created.set(name, 'created');
      } catch (error) {
        this.created.set(name, error instanceof CommitUncertainError ? 'uncertain' : 'refused');
      }
      await delay(CREATE_PAUSE_MS);
    }
  }
}

/** The folder of the worker that has the workspace. */
export async function workerOf({ coordinator }: Cluster, { id }: Workspace): Promise<string> {
  const [row] = await onNode(
    coordinator,
    `select nodename from pg_dist_shard_placement
     where shardid = get_shard_id_for_distribution_column('workspace_heads', ${id})`,
  );
  return String(row?.['nodename']);
}

/** Two-phase commits that are prepared on some node and not decided there yet. */
export async function countPrepared(nodes: Cluster['workers']): Promise<number> {
  let count = 0;
  for (const node of nodes) {
    const [row] = await onNode(node, 'select count(*)::int as count from pg_prepared_xacts');
    count += Number(row?.['count']);
  }
  return count;
}
