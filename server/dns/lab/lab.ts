import { Asker, type AskerOptions } from '../asker.ts';
import { type Endpoint, exchange } from '../exchange.ts';
import { ADDRESSES, freePort, type Place } from './addresses.ts';
import { startBind } from './bind.ts';
import { startFaultyServers } from './faultyServer.ts';
import { type Knot, startKnot } from './knot.ts';
import { HOST_LINES, registryZones } from './registry.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { signZone } from './signing.ts';
import { PROVIDER, PROVIDER_LINES, zoneText } from './zones.ts';

// A DNS of its own on loopback: a root, a registry for `test`, name servers for domains, and a resolver that validates. All
// listen on one port, as real ones all have 53.

/** Servers that answer from zone files. */
type Authority = 'ns1' | 'ns2' | 'inside';

export type LabZone = {
  name: string;
  /** Names of the servers that the zone's parent names. */
  hosts: readonly string[];
  /** Zone-file text by the server that has it. */
  texts: Partial<Record<Authority, string>>;
  /** Signed before it is served, in a time that `dnssec-signzone` knows; `spoil` changes it after that. */
  signed?: { start: string; end: string; spoil?: (text: string) => string };
};

export type Lab = AsyncDisposable & {
  port: number;
  resolver: Endpoint;
  inside: Endpoint;
  asker: (options?: Partial<AskerOptions>) => Asker;
  /** Puts a zone in place of the one of the same name, or beside the others. */
  publish: (zone: LabZone) => Promise<void>;
  /** Throws what BIND has against a zone. */
  judge: (zone: string, text: string) => Promise<void>;
};

/** Only a name server that does not work takes that long. */
const START_MS_MAX = 30_000;

export const BOTH = ['ns1.host.test', 'ns2.host.test'];

export async function startLab(zones: readonly LabZone[] = []): Promise<Lab> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await createSandbox());
  const port = await freePort();
  const at = (place: Place): Endpoint => ({ address: ADDRESSES[place], port });

  const known = new Map<string, LabZone>();
  let trustAnchors = '';
  for (const zone of [...ownZones(), ...zones]) {
    const { texts, trustAnchor } = await signedTexts(sandbox, zone);
    known.set(zone.name, { ...zone, texts });
    trustAnchors += trustAnchor;
  }
  const textsOf = (server: Authority) =>
    new Map(
      [...known.values()].flatMap(({ name, texts }) => (texts[server] === undefined ? [] : [[name, texts[server]]])),
    );
  const above = () => registryZones([...known.values()]);

  const [registry, ns1, ns2, inside] = await Promise.all([
    startKnot(sandbox, 'registry', at('registry'), above()),
    startKnot(sandbox, 'ns1', at('ns1'), textsOf('ns1')),
    startKnot(sandbox, 'ns2', at('ns2'), textsOf('ns2')),
    startKnot(sandbox, 'inside', at('inside'), textsOf('inside')),
  ]);
  const authorities: Record<Authority, Knot> = { ns1, ns2, inside };
  const resolver = await startBind(sandbox, at('resolver'), ADDRESSES.registry, trustAnchors);
  stack.use(await startFaultyServers(at('faulty'), at('silent'), at('ns1')));
  const failures = [resolver, registry, ns1, ns2, inside].map(({ failure }) => failure);
  await Promise.race([...failures, allAnswer(at)]);

  const running = stack.move();
  return {
    port,
    resolver: at('resolver'),
    inside: at('inside'),
    asker: (options) => new Asker({ resolvers: [at('resolver')], authorityPort: port, ...options }),
    publish: async (zone) => {
      known.set(zone.name, zone);
      for (const [server, text] of Object.entries(zone.texts)) {
        await authorities[server as Authority].serve(zone.name, text);
      }
      for (const [name, text] of above()) await registry.serve(name, text);
    },
    judge: async (zone, text) => {
      const file = await sandbox.write('judged.zone', text);
      const words = await sandbox.run('named-checkzone', '-i', 'local', zone, file);
      if (!/^zone \S+: loaded serial \d+\nOK\n$/.test(words)) throw new Error(words);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function signedTexts(
  sandbox: Sandbox,
  { name, texts, signed }: LabZone,
): Promise<{ texts: LabZone['texts']; trustAnchor: string }> {
  const [plain] = Object.values(texts);
  if (signed === undefined || plain === undefined) return { texts, trustAnchor: '' };
  const { text, trustAnchor } = await signZone(sandbox, name, plain, signed);
  const spoilt = signed.spoil?.(text) ?? text;
  return { texts: Object.fromEntries(Object.keys(texts).map((server) => [server, spoilt])), trustAnchor };
}

function ownZones(): LabZone[] {
  const host = zoneText('host.test', BOTH, HOST_LINES);
  const provider = zoneText(PROVIDER, BOTH, PROVIDER_LINES);
  return [
    { name: 'host.test', hosts: BOTH, texts: { ns1: host, ns2: host, inside: host } },
    { name: PROVIDER, hosts: BOTH, texts: { ns1: provider, ns2: provider, inside: provider } },
  ];
}

async function allAnswer(at: (place: Place) => Endpoint): Promise<void> {
  await answers(at('registry'), 'test');
  for (const place of ['ns1', 'ns2', 'inside', 'resolver'] as const) await answers(at(place), PROVIDER);
}

async function answers(server: Endpoint, zone: string): Promise<void> {
  const end = performance.now() + START_MS_MAX;
  while (performance.now() < end) {
    const answer = await exchange(server, { name: zone, type: 'SOA', isRecursive: true }, 1000);
    if (typeof answer !== 'string' && answer.answers.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The name server at ${server.address} does not answer for ${zone}.`);
}
