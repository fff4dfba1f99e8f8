import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AUTHORITIES, type AuthorityName, RESOLVERS, type ResolverName } from './addresses.ts';
import { startBind } from './bind.ts';
import { buildZones, type ServedZones } from './buildZones.ts';
import { COMPANY_ZONES, PROVIDER } from './companies.ts';
import { startFaultyServers } from './faultyServers.ts';
import { type Knot, startKnot } from './knot.ts';
import { needNamespace } from '../programs/namespace.ts';
import { REGISTRY_ZONES, ROOT_ADDRESSES } from './registries.ts';
import { createSandbox } from './sandbox.ts';
import { createZoneSigner } from './signing.ts';
import type { Zone } from './situation.ts';
import { ask } from './wire.ts';
import { asciiName, zoneFile } from './zoneFile.ts';

// Name servers in the network namespace of this process (docs/decisions/0018-namespace-lab.md): a root, registries,
// companies with zones, and resolvers.

export type Lab = AsyncDisposable & {
  /** The address of a resolver, on port 53. */
  resolver: (name?: ResolverName) => string;
  /** Adds or replaces zones. */
  publish: (...zones: readonly Zone[]) => Promise<void>;
  /** Runs nsupdate with a script. Throws what a name server refuses. */
  update: (script: string) => Promise<void>;
  /** Throws the errors of BIND in a zone. */
  checkZone: (zone: Zone) => Promise<void>;
};

/** Only a broken name server takes this long. */
const START_MS_MAX = 30_000;
/** Each address has one port 53, so a namespace has one lab at a time; a later one waits. */
const LOCK = { host: RESOLVERS.validating, port: 1053 };
const PAUSE_MS = 50;

/** Starts the lab with the zones that always exist and `zones`. */
export async function startLab(zones: readonly Zone[] = []): Promise<Lab> {
  needNamespace();
  await using stack = new AsyncDisposableStack();
  stack.use(await lock());
  const sandbox = stack.use(await createSandbox());
  const signing = createZoneSigner(sandbox);

  const known = new Map([...REGISTRY_ZONES, ...COMPANY_ZONES].map((zone) => [zone.name, zone]));
  for (const zone of zones) add(known, zone);
  let built = await buildZones([...known.values()], signing);
  const start = async (name: AuthorityName) => {
    const addresses = Object.values<string>(AUTHORITIES[name]);
    return [name, await startKnot(sandbox, name, addresses, built.get(name) ?? new Map())] as const;
  };
  const knots = new Map(await Promise.all((Object.keys(AUTHORITIES) as AuthorityName[]).map(start)));
  const bind = await startBind(sandbox, RESOLVERS.validating, ROOT_ADDRESSES, await signing.trustAnchor(''));
  stack.use(await startFaultyServers(() => [...(built.get('inside')?.keys() ?? [])]));
  const failures = [bind, ...knots.values()].map(({ unexpectedExit }) => unexpectedExit);
  await Promise.race([...failures, waitForAnswers(built)]);

  const running = stack.move();
  // One after another: a change of one zone changes its parents.
  let last: Promise<unknown> = Promise.resolve();
  let updates = 0;
  return {
    resolver: (name = 'validating') => RESOLVERS[name],
    publish: (...zones) => {
      const change = async () => {
        for (const zone of zones) known.set(asciiName(zone.name), zone);
        const before = built;
        built = await buildZones([...known.values()], signing);
        await serveChanges(knots, before, built);
      };
      const done = last.then(change);
      last = done.catch(() => {});
      return done;
    },
    update: async (script) => {
      await sandbox.run('nsupdate', await sandbox.write(`update-${updates++}`, script));
    },
    checkZone: async (zone) => {
      const file = await sandbox.write('judged.zone', zoneFile(zone, zone.text, []));
      const words = await sandbox.run('named-checkzone', '-i', 'local', asciiName(zone.name), file);
      if (!/^zone \S+: loaded serial \d+\nOK\n$/.test(words)) throw new Error(words);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function lock(): Promise<AsyncDisposable> {
  for (;;) {
    const server = createServer().listen(LOCK);
    try {
      await once(server, 'listening');
      return { [Symbol.asyncDispose]: async () => void server.close() };
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
      await delay(PAUSE_MS);
    }
  }
}

function add(known: Map<string, Zone>, zone: Zone): void {
  const name = asciiName(zone.name);
  if (known.has(name)) throw new Error(`There are two zones ${name}.`);
  known.set(name, zone);
}

/** The registry last, so that every delegation leads to a loaded zone. */
async function serveChanges(
  knots: ReadonlyMap<AuthorityName, Knot>,
  before: ServedZones,
  now: ServedZones,
): Promise<void> {
  for (const [authority, knot] of [...knots].toReversed()) {
    const [old, current] = [before, now].map((served) => served.get(authority) ?? new Map<string, string>());
    // Deepest first, in the order in which they were built.
    const changed = [...(current ?? [])].filter(([zone, file]) => old?.get(zone) !== file);
    for (const [zone, file] of changed) await knot.serve(zone, file);
    for (const zone of old?.keys() ?? []) if (!current?.has(zone)) await knot.drop(zone);
  }
}

/** Throws when a server does not have one of its zones. */
async function waitForAnswers(served: ServedZones): Promise<void> {
  for (const [authority, zones] of served) {
    const [address = ''] = Object.values<string>(AUTHORITIES[authority]);
    await waitForAnswer(address, [...zones.keys()][0] ?? '');
    // One after another: knot does not accept so many connections at once.
    for (const zone of zones.keys()) {
      const answer = await ask(address, zone || '.', 'SOA', { timeout: START_MS_MAX });
      if (answer?.answers?.length !== 1) throw new Error(`${authority} does not serve ${zone}: its text is wrong.`);
    }
  }
  await waitForAnswer(RESOLVERS.validating, PROVIDER);
}

async function waitForAnswer(address: string, zone: string): Promise<void> {
  const end = performance.now() + START_MS_MAX;
  while (performance.now() < end) {
    const answer = await ask(address, zone || '.', 'SOA', { timeout: START_MS_MAX, isRecursive: true });
    if (answer?.answers?.length === 1) return;
    await delay(PAUSE_MS);
  }
  throw new Error(`The name server at ${address} does not answer for ${zone || 'the root'}.`);
}
