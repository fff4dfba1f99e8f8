import { join } from 'node:path';
import type { Endpoint } from '../exchange.ts';
import { Turns } from '../../turns.ts';
import type { Running, Sandbox } from './sandbox.ts';

/** An authoritative name server. */
export type Knot = Running & {
  /** Answers for `zone` with the zone-file text from now on. */
  serve: (zone: string, text: string) => Promise<void>;
};

/** Starts knot with the zones it serves at first, by name; the root is the empty name. */
export async function startKnot(
  sandbox: Sandbox,
  name: string,
  { address, port }: Endpoint,
  zones: ReadonlyMap<string, string>,
): Promise<Knot> {
  const folder = await sandbox.folder(name);
  const socket = join(folder, 'knot.sock');
  const served = new Set<string>();
  // Knot 3.2 crashes when it is told two things at once.
  const changes = new Turns(1);

  const put = async (zone: string, text: string) => {
    served.add(zone);
    await sandbox.write(`${name}/${zone}.zone`, text);
  };
  const configure = () =>
    sandbox.write(
      `${name}/knot.conf`,
      `server:
    rundir: "${folder}"
    listen: ${address}@${port}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
database:
    storage: "${folder}"
log:
  - target: stderr
    any: error
template:
  - id: default
    storage: "${folder}"
    semantic-checks: off
    zonefile-sync: -1
    journal-content: none
zone:
${[...served].map((zone) => `  - domain: "${zone}."\n    file: "${zone}.zone"\n`).join('')}`,
    );

  for (const [zone, text] of zones) await put(zone, text);
  const { failure } = sandbox.start('knotd', '-c', await configure());
  return {
    failure,
    serve: (zone, text) =>
      changes.taking(async () => {
        const isNew = !served.has(zone);
        await put(zone, text);
        await configure();
        if (isNew) await sandbox.run('knotc', '-s', socket, 'reload');
        await sandbox.run('knotc', '-s', socket, '-b', 'zone-reload', `${zone}.`);
      }),
  };
}
