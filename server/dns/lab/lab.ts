import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { Asker, type AskerOptions } from '../asker.ts';
import { type Endpoint, exchange } from '../exchange.ts';
import { startBind } from './bind.ts';
import { startFaultyServers } from './faultyServer.ts';
import { type Knot, startKnot } from './knot.ts';
import { createSandbox } from './sandbox.ts';
import { signZone } from './signing.ts';
import { PROVIDER, PROVIDER_LINES, zoneText } from './zones.ts';

// A DNS of its own on loopback: a root, a registry for `test`, name servers for domains, and a resolver that validates. All
// listen on one port, as real ones all have 53.

const ADDRESSES = {
  resolver: '127.0.0.1',
  registry: '127.0.0.10',
  ns1: '127.0.0.11',
  ns2: '127.0.0.12',
  dead: '127.0.0.14',
  silent: '127.0.0.15',
  faulty: '127.0.0.16',
  /** Serves what the world must not see, and refuses everything else. */
  inside: '127.0.0.54',
};
/** Programs of the lab that answer from zone files. */
type Authority = 'registry' | 'ns1' | 'ns2' | 'inside';

const HOST_LINES = [
  ...Object.entries(ADDRESSES).map(([name, address]) => `${name} A ${address}`),
  'parking A 192.0.2.99',
];
/** A name server with the name of one of Cloudflare's. */
const CLOUDFLARE = 'ada.ns.cloudflare.com';

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
};

export const BOTH = ['ns1.host.test', 'ns2.host.test'];

export async function startLab(zones: readonly LabZone[] = []): Promise<Lab> {
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await createSandbox());
  const port = await freePort();
  const at = (name: keyof typeof ADDRESSES): Endpoint => ({ address: ADDRESSES[name], port });

  const known = new Map([...ownZones(), ...zones].map((zone) => [zone.name, zone]));
  const anchors: string[] = [];
  for (const zone of zones) anchors.push(...(await sign(zone)));

  async function sign(zone: LabZone): Promise<string[]> {
    if (zone.signed === undefined) return [];
    const { spoil = (text: string) => text } = zone.signed;
    const [plain = ''] = Object.values(zone.texts);
    const { text, trustAnchor } = await signZone(sandbox, zone.name, plain, zone.signed);
    const texts = Object.fromEntries(Object.keys(zone.texts).map((server) => [server, spoil(text)]));
    known.set(zone.name, { ...zone, texts });
    return [trustAnchor];
  }

  const textsOf = (server: Authority) =>
    new Map(
      [...known.values()].flatMap(({ name, texts }) => (texts[server] === undefined ? [] : [[name, texts[server]]])),
    );
  const registry = () =>
    new Map([
      ['', rootText([...known.values()])],
      ['test', registryText([...known.values()])],
    ]);
  const [forRegistry, ns1, ns2, inside] = await Promise.all([
    startKnot(sandbox, 'registry', at('registry'), registry()),
    startKnot(sandbox, 'ns1', at('ns1'), textsOf('ns1')),
    startKnot(sandbox, 'ns2', at('ns2'), textsOf('ns2')),
    startKnot(sandbox, 'inside', at('inside'), textsOf('inside')),
  ]);
  const authorities: Record<Authority, Knot> = { registry: forRegistry, ns1, ns2, inside };
  const resolver = await startBind(sandbox, at('resolver'), ADDRESSES.registry, anchors.join(''));
  stack.use(await startFaultyServers(at('faulty'), at('silent'), at('ns1')));
  const failures = [resolver, ...Object.values(authorities)].map(({ failure }) => failure);
  await Promise.race([
    ...failures,
    Promise.all([
      answering(at('registry'), 'test'),
      answering(at('ns1'), PROVIDER),
      answering(at('ns2'), PROVIDER),
      answering(at('inside'), PROVIDER),
    ]).then(() => answering(at('resolver'), PROVIDER)),
  ]);

  const running = stack.move();
  return {
    port,
    resolver: at('resolver'),
    inside: at('inside'),
    asker: (options) => new Asker({ resolvers: [at('resolver')], authorityPort: port, ...options }),
    publish: async (zone) => {
      const isNew = !known.has(zone.name);
      known.set(zone.name, zone);
      for (const [server, text] of Object.entries(zone.texts)) {
        await authorities[server as Authority].serve(zone.name, text);
      }
      if (isNew) for (const [name, text] of registry()) await forRegistry.serve(name, text);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function ownZones(): LabZone[] {
  const host = zoneText('host.test', BOTH, HOST_LINES);
  const provider = zoneText(PROVIDER, BOTH, PROVIDER_LINES);
  return [
    { name: 'host.test', hosts: BOTH, texts: { ns1: host, ns2: host, inside: host } },
    { name: PROVIDER, hosts: BOTH, texts: { ns1: provider, ns2: provider, inside: provider } },
  ];
}

const delegations = (zones: readonly LabZone[]) =>
  zones.flatMap(({ name, hosts }) => hosts.map((host) => `${name}. NS ${host}.`));
const isBelowTest = ({ name }: LabZone) => name.endsWith('.test');

function rootText(zones: readonly LabZone[]): string {
  const others = zones.filter((zone) => !isBelowTest(zone));
  return `$TTL 300
. SOA root.test. hostmaster.host.test. 1 3600 600 86400 2
. NS root.test.
root.test. A ${ADDRESSES.registry}
test. NS root.test.
${CLOUDFLARE}. A ${ADDRESSES.ns1}
${delegations(others).join('\n')}
`;
}

/** What a registry says that there is nothing is forgotten soon, so that a zone can come later. */
function registryText(zones: readonly LabZone[]): string {
  return `$ORIGIN test.
$TTL 300
@ SOA root.test. hostmaster.host.test. 1 3600 600 86400 2
@ NS root.test.
root A ${ADDRESSES.registry}
${HOST_LINES.map((line) => line.replace(' ', '.host ')).join('\n')}
${delegations(zones.filter(isBelowTest)).join('\n')}
`;
}

async function answering(server: Endpoint, zone: string): Promise<void> {
  for (;;) {
    const answer = await exchange(server, { name: zone, type: 'SOA', isRecursive: true }, 1000);
    if (typeof answer !== 'string' && answer.answers.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Free at all addresses, and none that the system gives to whoever asks for any. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const free = await Promise.all(Object.values(ADDRESSES).map((address) => isFree({ address, port })));
    if (free.every(Boolean)) return port;
  }
}

async function isFree({ address, port }: Endpoint): Promise<boolean> {
  const tcp = createServer().listen(port, address);
  const udp = createSocket('udp4').bind(port, address);
  try {
    await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
    return true;
  } catch {
    return false;
  } finally {
    tcp.on('error', () => {}).close();
    udp.on('error', () => {}).close();
  }
}
