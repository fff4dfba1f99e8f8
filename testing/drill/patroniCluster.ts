import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freezeProcesses } from '../../server/testing/processes/freezeProcesses.ts';
import { freePorts } from '../programs/freePorts.ts';
import { createDatabase } from '../programs/postgres.ts';
import { obtainInstalled, unprivileged } from '../programs/postgresPrograms.ts';
import { haproxySettings, type ClusterNode, patroniSettings } from './patroniSettings.ts';
import { obtainProgram, type Program } from './programs.ts';

const START_LIMIT_MS = 90_000;
const ANSWER_LIMIT_MS = 2_000;

export type HealthyNodes = { primary: ClusterNode; standby: ClusterNode };

/**
 * Two PostgreSQL servers, each with a Patroni, an etcd that elects the primary, and HAProxy in front of them, all on
 * loopback.
 */
export class PatroniCluster implements AsyncDisposable {
  /** The address of HAProxy. */
  readonly url: string;
  readonly #folder: string;
  readonly #nodes: readonly ClusterNode[];
  readonly #patroni: Program;
  readonly #user = unprivileged();
  readonly #running = new Map<string, ChildProcess>();

  private constructor(folder: string, nodes: readonly ClusterNode[], patroni: Program, frontPort: number) {
    this.#folder = folder;
    this.#nodes = nodes;
    this.#patroni = patroni;
    this.url = `postgres://sendroom@127.0.0.1:${frontPort}/sendroom`;
  }

  static async start(folder: string): Promise<PatroniCluster> {
    const programs = obtainInstalled();
    const etcd = obtainProgram(folder, 'etcd', ['etcd-server']);
    const haproxy = obtainProgram(folder, 'haproxy');
    const patroni = obtainProgram(folder, 'patroni', ['patroni', 'python3-etcd']);
    const [etcdPort = 0, peerPort = 0, frontPort = 0, ...ports] = await freePorts(7);
    const nodes = ['one', 'two'].map((name, index): ClusterNode => {
      const [port = 0, restPort = 0] = ports.slice(index * 2);
      return { name, port, restPort, folder: join(folder, name) };
    });
    const cluster = new PatroniCluster(folder, nodes, patroni, frontPort);
    try {
      const peer = `http://127.0.0.1:${peerPort}`;
      const client = `http://127.0.0.1:${etcdPort}`;
      // With the newer interface, Patroni 3.0.2 takes the lock from its successor after a pause (patroni/patroni#2689).
      const own = ['--enable-v2', '--data-dir', join(cluster.#folderOf('etcd'), 'data'), '--listen-peer-urls', peer];
      cluster.#run('etcd', etcd, [...own, '--listen-client-urls', client, '--advertise-client-urls', client]);
      for (const node of nodes) {
        cluster.#folderOf(node.name);
        writeFileSync(join(node.folder, 'patroni.yml'), patroniSettings(node, etcdPort, programs));
        cluster.startPatroni(node);
      }
      cluster.#folderOf('haproxy');
      writeFileSync(join(folder, 'haproxy.cfg'), haproxySettings(frontPort, nodes));
      cluster.#run('haproxy', haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')]);
      const { primary } = await cluster.waitUntilHealthy(START_LIMIT_MS);
      await createDatabase(`postgres://postgres@127.0.0.1:${primary.port}/postgres`);
      return cluster;
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Waits until one is the primary, and the other follows it synchronously. */
  async waitUntilHealthy(limit: number): Promise<HealthyNodes> {
    const deadline = performance.now() + limit;
    for (;;) {
      const [primary, standby] = await Promise.all([this.#findNode('/primary'), this.#findNode('/sync')]);
      if (primary !== undefined && standby !== undefined) return { primary, standby };
      if (performance.now() > deadline) {
        throw new Error(`After ${limit / 1000} s the primary is ${primary?.name}, the standby ${standby?.name}.`);
      }
      await delay(100);
    }
  }

  /** Waits until the other one is the primary. */
  async waitForNewPrimary(before: ClusterNode, limit: number): Promise<void> {
    const others = this.#nodes.filter(({ name }) => name !== before.name);
    const deadline = performance.now() + limit;
    while ((await this.#findNode('/primary', others)) === undefined) {
      if (performance.now() > deadline) throw new Error(`No node took over from ${before.name}.`);
      await delay(100);
    }
  }

  startPatroni(node: ClusterNode): void {
    this.#run(node.name, this.#patroni, [join(node.folder, 'patroni.yml')]);
  }

  killPatroni({ name }: ClusterNode): void {
    this.#running.get(name)?.kill('SIGKILL');
  }

  /** All other processes of the server end with this one. */
  killPostgres(node: ClusterNode): void {
    process.kill(postmasterOf(node), 'SIGKILL');
  }

  /** Stops Patroni and PostgreSQL with SIGSTOP, and returns the function that resumes them. */
  freeze(node: ClusterNode): () => void {
    return freezeProcesses([this.#running.get(node.name)?.pid ?? 0, postmasterOf(node)]);
  }

  /** As `patronictl switchover` does it. */
  async switchOver({ name, restPort }: ClusterNode): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: name }),
    });
    if (answer.status !== 200) throw new Error(`Patroni did not switch over: ${await answer.text()}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = [...this.#running.values()].map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const end = once(child, 'exit');
      child.kill('SIGKILL');
      await end;
    });
    await Promise.all(ended);
    for (const node of this.#nodes) {
      const file = postmasterFile(node);
      if (existsSync(file)) this.killPostgres(node);
    }
  }

  async #findNode(path: string, nodes = this.#nodes): Promise<ClusterNode | undefined> {
    const found = await Promise.all(
      nodes.map(async ({ restPort }) => {
        const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
        const answer = await fetch(`http://127.0.0.1:${restPort}${path}`, { signal }).catch(() => null);
        await answer?.text();
        return answer?.status === 200;
      }),
    );
    return nodes[found.indexOf(true)];
  }

  /** A folder in which the programs may write. */
  #folderOf(name: string): string {
    const folder = join(this.#folder, name);
    mkdirSync(folder, { mode: 0o700 });
    if (this.#user !== null) chownSync(folder, this.#user.uid, this.#user.gid);
    return folder;
  }

  #run(name: string, { path, env }: Program, parameters: string[]): void {
    const log = openSync(join(this.#folder, `${name}.log`), 'a');
    const cwd = join(this.#folder, name);
    const child = spawn(path, parameters, { ...this.#user, cwd, env, stdio: ['ignore', log, log] });
    this.#running.set(name, child);
  }
}

function postmasterOf(node: ClusterNode): number {
  return Number(readFileSync(postmasterFile(node), 'utf8').split('\n')[0]);
}

/** The file exists while the server runs. */
function postmasterFile({ folder }: ClusterNode): string {
  return join(folder, 'data/postmaster.pid');
}
