import { type Answer, encode, type Packet, type Question, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';
import { Asker, type AskerOptions } from './asker.ts';
import { listenOnSamePort, resolve, tell, type Zones } from './nameServer.ts';

// Real name servers for tests, over UDP and TCP on loopback: a registry, two authorities, a lame one and a resolver.

const REGISTRY = '127.0.0.10';
export const NS1 = '127.0.0.11';
export const NS2 = '127.0.0.12';
const LAME = '127.0.0.13';
export const RESOLVER = '127.0.0.53';

/** What a server does in place of answering truly; undefined for the truth. */
export type Misbehaviour = 'silence' | 'garbage' | 'wrong id' | 'wrong question' | 'truncated' | Packet | undefined;

export type TestDns = AsyncDisposable & {
  port: number;
  /** Zones by the address of the server that answers for them, and by name. */
  zones: Record<string, Zones>;
  /** Called for each question, by the address of the server. */
  misbehave: Record<string, (question: Question, isTcp: boolean, packet: Packet) => Misbehaviour>;
  /** Everything that was asked, as `address name type`. */
  asked: string[];
  asker: (options?: Partial<AskerOptions>) => Asker;
};

/** Puts a zone on both name servers and tells its registry about it. */
export function addZone(dns: TestDns, zone: string, records: Answer[]): void {
  const apex = (['ns1', 'ns2'] as const).map((host): Answer => ({ type: 'NS', name: zone, data: `${host}.host.test` }));
  for (const address of [NS1, NS2])
    dns.zones[address] = { ...dns.zones[address], [zone]: { records: [...apex, ...records] } };
  dns.zones[REGISTRY]?.test?.records.push(...apex);
}

export async function startTestDns(): Promise<TestDns> {
  const hosts: Answer[] = [
    { type: 'A', name: 'ns1.host.test', data: NS1 },
    { type: 'A', name: 'ns2.host.test', data: NS2 },
    { type: 'A', name: 'lame.host.test', data: LAME },
    { type: 'A', name: 'registry.test', data: REGISTRY },
  ];
  const dns: Omit<TestDns, 'asker' | 'port' | typeof Symbol.asyncDispose> = {
    zones: {
      [REGISTRY]: {
        '': { records: [{ type: 'NS', name: '.', data: 'registry.test' }] },
        test: { records: [{ type: 'NS', name: 'test', data: 'registry.test' }, ...hosts] },
      },
      [NS1]: {},
      [NS2]: {},
      [LAME]: {},
    },
    misbehave: {},
    asked: [],
  };

  const answer = (address: string, packet: Packet & { id?: number }, isTcp: boolean): Buffer | null => {
    const [question] = packet.questions ?? [];
    if (question === undefined) return null;
    const name = question.name === '.' ? '' : question.name.toLowerCase();
    dns.asked.push(`${address} ${name || '.'} ${question.type}`);
    const fault = dns.misbehave[address]?.({ ...question, name }, isTcp, packet);
    if (fault === 'silence') return null;
    if (fault === 'garbage') return Buffer.from('hello');
    const id = packet.id ?? 0;
    const frame = (content: Packet) => {
      const whole: Packet = {
        type: 'response',
        questions: packet.questions,
        ...content,
        id: fault === 'wrong id' ? (id + 1) & 0xffff : id,
        ...(fault === 'wrong question' && { questions: [{ ...question, name: 'other.test' }] }),
      };
      return isTcp ? streamEncode(whole) : encode(whole);
    };
    if (fault === 'truncated') return frame({ flags: TRUNCATED_RESPONSE });
    if (typeof fault === 'object') return frame(fault);
    const asked = { ...question, name };
    const truth = frame(
      address === RESOLVER ? resolve(Object.values(dns.zones), asked) : tell(dns.zones[address] ?? {}, asked),
    );
    return !isTcp && truth.length > 1232 ? frame({ flags: TRUNCATED_RESPONSE }) : truth;
  };

  const { port, close } = await listenOnSamePort([RESOLVER, REGISTRY, NS1, NS2, LAME], answer);
  return {
    ...dns,
    port,
    asker: (options) => new Asker({ resolvers: [{ address: RESOLVER, port }], authorityPort: port, ...options }),
    [Symbol.asyncDispose]: close,
  };
}
