import { join } from 'node:path';
import type { RunningProcess, Sandbox } from './sandbox.ts';

/** An authoritative name server. */
export type Knot = RunningProcess & {
  /** Serves `zone` with this zone-file text from now on. */
  serve: (zone: string, text: string) => Promise<void>;
  /** Removes the zone. */
  drop: (zone: string) => Promise<void>;
};

/**
 * Starts knot with `zones`, by name; the root is the empty name. It must get one command at a time: 3.2 crashes
 * otherwise.
 */
export async function startKnot(
  sandbox: Sandbox,
  name: string,
  addresses: readonly string[],
  zones: ReadonlyMap<string, string>,
): Promise<Knot> {
  const folder = await sandbox.folder(name);
  const socket = join(folder, 'knot.sock');
  const served = new Set<string>();

  const put = async (zone: string, text: string) => {
    served.add(zone);
    await sandbox.write(`${name}/${zone || 'root'}.zone`, text);
  };
  const configure = () =>
    sandbox.write(
      `${name}/knot.conf`,
      `server:
    rundir: "${folder}"
    listen: [${addresses.map((address) => `${address}@53`).join(', ')}]
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${folder}"
log:
  - target: stderr
    any: error
acl:
  - id: updates
    action: update
template:
  - id: default
    acl: updates
    storage: "${folder}"
    semantic-checks: off
    zonefile-sync: -1
    journal-content: none
zone:
${[...served].map((zone) => `  - domain: "${zone}."\n    file: "${zone || 'root'}.zone"\n`).join('')}`,
    );

  for (const [zone, text] of zones) await put(zone, text);
  const { unexpectedExit } = sandbox.start('knotd', '-c', await configure());
  return {
    unexpectedExit,
    serve: async (zone, text) => {
      const isNew = !served.has(zone);
      await put(zone, text);
      await configure();
      if (isNew) await sandbox.run('knotc', '-s', socket, 'reload');
      await sandbox.run('knotc', '-s', socket, '-b', 'zone-reload', `${zone}.`);
    },
    drop: async (zone) => {
      served.delete(zone);
      await configure();
      await sandbox.run('knotc', '-s', socket, 'reload');
    },
  };
}
