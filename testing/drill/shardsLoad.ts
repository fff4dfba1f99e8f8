import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../../contract/values/must.ts';
import type { Database } from '../../server/database/database.ts';
import { CommitUncertainError } from '../../server/database/databaseErrors.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { createToken, createWorkspace } from '../../server/workspaces/store.ts';
import { createWriters, type WriteAnswer, type Writers } from '../../server/testing/testWriters.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { type Cluster, onNode } from '../programs/citus.ts';

const WRITERS = 2;
const PAUSE_MS = 150;
const CREATE_PAUSE_MS = 50;

/** A workspace that is written and read all the time. */
export type LoadedWorkspace = { workspace: Workspace; writers: Writers; reads: WriteAnswer[] };

/** What a command reported: that something was made, that it was not, or that it does not know. */
export type Outcome = 'created' | 'refused' | 'uncertain';

/** Workspaces under load by all services, and a command that creates workspaces and tokens meanwhile: each concerns two machines. */
export class ShardsLoad {
  readonly all: readonly LoadedWorkspace[];
  readonly #addresses: readonly string[];
  readonly #database: Database;
  /** Workspaces by name. */
  readonly created = new Map<string, Outcome>();
  /** Tokens of `all` by name. */
  readonly tokens = new Map<string, Outcome>();
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

  start(creates = true): void {
    this.#isStopped = false;
    for (const { writers } of this.all) writers.start(this.#addresses, PAUSE_MS);
    this.#running = Promise.all([...this.all.map((one, at) => this.#read(one, at)), creates && this.#create()]);
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
    for (let turn = 0; !this.#isStopped; turn++) {
      const name = `created ${this.created.size}`;
      const act = () => createWorkspace(this.#database, { name, identity_field: null }, Date.now());
      this.created.set(name, await outcomeOf(act));
      await delay(CREATE_PAUSE_MS);
      await this.makeToken(must(this.all[turn % this.all.length]));
      await delay(CREATE_PAUSE_MS);
    }
  }

  /** Makes a token, which is a row on the coordinator and a line in the log on a worker. */
  async makeToken({ workspace }: LoadedWorkspace): Promise<Outcome> {
    const name = `token ${this.tokens.size}`;
    this.tokens.set(name, 'uncertain');
    const outcome = await outcomeOf(() => createToken(workspace, this.#database, { name, role: 'read' }, Date.now()));
    this.tokens.set(name, outcome);
    return outcome;
  }
}

async function outcomeOf(act: () => Promise<unknown>): Promise<Outcome> {
  try {
    await act();
    return 'created';
  } catch (error) {
    return error instanceof CommitUncertainError ? 'uncertain' : 'refused';
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

/** The process ids, on the coordinator, of the transactions that are prepared on some node and not decided there yet. */
export async function listPrepared(nodes: Cluster['workers']): Promise<number[]> {
  const pids: number[] = [];
  for (const node of nodes) {
    const rows = await onNode(node, `select split_part(gid, '_', 3)::int as pid from pg_prepared_xacts`);
    pids.push(...rows.map(({ pid }) => Number(pid)));
  }
  return pids;
}
