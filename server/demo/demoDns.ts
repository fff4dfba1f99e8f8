import type { Packet, Question } from 'dns-packet';
import { Asker } from '../dns/asker.ts';
import { answering, listenOnSamePort, resolve, tell, type Zones } from '../dns/nameServer.ts';
import { SEED_OF_DOMAINS } from './demo.ts';
import { demoDomains } from './demoDomains.ts';
import { demoZones } from './demoZones.ts';
import { seeded } from './random.ts';

/** Seconds for which the resolver of the demo remembers what is no longer true. */
const REMEMBERED = 60;
const ADDRESS = '127.0.0.1';

export type DemoDns = AsyncDisposable & {
  asker: Asker;
  /** Where its resolver listens. */
  resolver: string;
};

/** Whether the demo answers for this name: nobody can have it (RFC 2606). */
export function isDemoName(name: string): boolean {
  return /(^|\.)example\.?$/i.test(name);
}

/** The DNS that the domains of the demo live in: a name server and a resolver on this machine, for nobody else. */
export async function startDemoDns(): Promise<DemoDns> {
  const { zones, late } = demoZones(demoDomains(seeded(SEED_OF_DOMAINS), 0), ADDRESS);
  const authority = await listenOnSamePort(
    [ADDRESS],
    answering((question) => tell(zones, question)),
  );
  const resolver = await listenOnSamePort([ADDRESS], answering(forgetful(zones, late)));
  return {
    asker: new Asker({ resolvers: [{ address: ADDRESS, port: resolver.port }], authorityPort: authority.port }),
    resolver: `${ADDRESS}:${resolver.port}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([authority.close(), resolver.close()]);
    },
  };
}

/** A resolver that remembers for a while that there is nothing at the `late` names. */
function forgetful(zones: Zones, late: ReadonlySet<string>): (question: Question) => Packet {
  const ends = new Map<string, number>();
  return (question) => {
    if (!late.has(question.name)) return resolve([zones], question);
    const now = Date.now();
    const end = ends.getOrInsert(question.name, now + REMEMBERED * 1000);
    if (end <= now) return resolve([zones], question);
    const nothing = resolve([zones], { ...question, name: `nothing-yet.${question.name}` });
    return {
      ...nothing,
      authorities: nothing.authorities?.map((soa) => ({ ...soa, ttl: Math.ceil((end - now) / 1000) })),
    };
  };
}
