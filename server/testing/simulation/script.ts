import { seededRandom } from '../../demo/seededRandom.ts';
import type { FaultName, ScriptedDomain } from './world.ts';

// What happens to the DNS of many domains, to whom we deliver, and to ourselves, in minutes from the start.

export const MINUTE = 60_000;
const HOUR = 60;
export const DAY = 24 * HOUR;

/** A fault of a domain, of all of a host, or of all; `to` is when it's over. */
type Period = { of: string; fault: FaultName; from: number; to: number };

/** What people do, and what is done to processes. */
export type Action = { at: number } & (
  | { what: 'rotate' | 'look' | 'accept' | 'end acceptance'; domain: number }
  | { what: 'bulk'; domain: number; isOn: boolean }
  | { what: 'contact'; contact: number; change: 'unsubscribe' | 'subscribe' | 'erase' }
  | { what: 'add destination' }
  | { what: 'kill'; instance: number; writes: number; isCommitted: boolean }
);

export type Script = {
  domains: ScriptedDomain[];
  actions: Action[];
  /** In days. */
  length: number;
  contacts: number;
  faultsAt: (domain: ScriptedDomain, minute: number) => FaultName[];
};

export type Size = { domains: number; days: number; seed: number };

const EVERYTHING = 'everything';
const OWN = [
  'no dkim',
  'no dkim',
  'no dmarc',
  'two dmarc',
  'other mx',
  'spf without include',
  'other at second',
] as const;
const OWN_MINUTES = [2, 4, 9, 12, 40, 3 * HOUR, DAY, 6 * DAY];
/** From the first minute on: somebody hasn't published it yet. */
const SET_UP = ['no dkim', 'no dmarc', 'other mx'] as const;
const SET_UP_MINUTES = [40, 6 * HOUR, 2 * DAY, 5 * DAY];
const OF_HOST = [
  'second is silent',
  'second is silent',
  'both are silent',
  'old at second',
  'other name servers',
] as const;
const OF_HOST_MINUTES = [3, 12, 25, 2 * HOUR, 9 * HOUR, 2 * DAY];
const OF_ALL = ['no include', 'resolvers are down'] as const;
const OF_ALL_MINUTES = [14, 45, 4 * HOUR, 26 * HOUR];
const DOMAINS_OF_HOST = 10;

export function writeScript({ domains: count, days, seed }: Size): Script {
  const random = seededRandom(seed);
  const last = days * DAY;
  const domains = Array.from({ length: count }, (_, index): ScriptedDomain => ({
    name: `d${index}.dev`,
    host: `host${Math.floor(index / DOMAINS_OF_HOST)}.dev`,
    listsDmarc: index % 2 === 0,
  }));
  const periods: Period[] = [];
  const actions: Action[] = [];
  // In a short run everything happens more often.
  const pace = Math.min(1, days / 120);
  /** About every so many days. */
  const times = (every: number): number[] => {
    const found: number[] = [];
    for (let at = 0; ;) {
      at += 1 + random.below(Math.ceil(2 * every * DAY * pace));
      if (at >= last) return found;
      found.push(at);
    }
  };
  const look = (domain: number, at: number) => actions.push({ what: 'look', domain, at });

  for (const [domain, { name }] of domains.entries()) {
    if (random.chance(0.3)) {
      periods.push({ of: name, fault: random.pick(SET_UP), from: 0, to: random.pick(SET_UP_MINUTES) });
    }
    for (const from of times(30)) {
      const fault = random.pick(OWN);
      periods.push({ of: name, fault, from, to: from + random.pick(OWN_MINUTES) });
      if (random.chance(0.3)) {
        look(domain, from + 1);
        actions.push({ what: 'accept', domain, at: from + 1 + random.below(60) });
      }
      if (random.chance(0.1)) actions.push({ what: 'end acceptance', domain, at: from + random.below(DAY) });
      // Somebody looks while it's there, more than once.
      if (random.chance(0.5)) for (let more = random.below(4); more >= 0; more--) look(domain, from + random.below(16));
    }
    for (const from of times(120)) flap(domain, from);
    for (const at of times(60)) look(domain, at);
    for (const at of times(200)) actions.push({ what: 'rotate', domain, at });
    for (const at of times(250)) actions.push({ what: 'bulk', domain, at, isOn: random.chance(0.5) });
  }
  /** Comes and goes for hours, sometimes before the eyes of somebody who waits for it. */
  function flap(domain: number, start: number): void {
    const of = domains[domain]?.name ?? '';
    const fault = random.pick(['no dkim', 'no dmarc'] as const);
    const [on, off] = [12 + random.below(15), 21 + random.below(15)];
    const isWatched = random.chance(0.5);
    const end = start + (on + off) * (3 + random.below(30));
    for (let from = start; from < end; from += on + off) periods.push({ of, fault, from, to: from + on });
    if (isWatched) for (let at = start; at < end; at += 6) look(domain, at);
  }
  // Nobody can ask between two looks that would open an incident.
  for (const [domain, { name: of }] of domains.entries()) {
    for (const from of times(100)) {
      periods.push({ of, fault: 'no dkim', from, to: from + 15 });
      periods.push({ of, fault: 'resolvers are down', from: from + 4, to: from + 8 });
      for (const after of [1, 5, 12]) look(domain, from + after);
    }
  }
  // In the minute in which one domain is right again, the next one breaks by the same cause.
  for (const [domain, { name: of }] of domains.entries()) {
    const next = domains[domain + 1]?.name;
    if (next === undefined) continue;
    for (const from of times(200)) {
      periods.push({ of, fault: 'no include', from, to: from + 30 });
      periods.push({ of: next, fault: 'no include', from: from + 30, to: from + 60 });
      for (const after of [0, 10, 30, 40]) look(domain, from + after);
      for (const after of [30, 40]) look(domain + 1, from + after);
    }
  }
  for (const host of new Set(domains.map((domain) => domain.host))) {
    for (const from of times(40)) {
      periods.push({ of: host, fault: random.pick(OF_HOST), from, to: from + random.pick(OF_HOST_MINUTES) });
    }
  }
  for (const fault of OF_ALL) {
    for (const from of times(50)) periods.push({ of: EVERYTHING, fault, from, to: from + random.pick(OF_ALL_MINUTES) });
  }
  const contacts = Math.max(3, Math.ceil(count / 10));
  for (const at of times(5)) {
    const change = random.pick(['unsubscribe', 'unsubscribe', 'subscribe', 'subscribe', 'erase'] as const);
    actions.push({ what: 'contact', contact: random.below(contacts), change, at });
  }
  actions.push({ what: 'add destination', at: Math.floor(last / 3) });
  // Where much happens, each kill hits something.
  for (const { from } of periods) {
    if (!random.chance(0.2)) continue;
    const at = from + random.below(30);
    actions.push({
      what: 'kill',
      instance: random.below(3),
      writes: random.below(12),
      isCommitted: random.chance(0.5),
      at,
    });
  }
  const byOwner = Map.groupBy(periods, ({ of }) => of);
  return {
    domains,
    length: days,
    contacts,
    actions: actions.filter(({ at }) => at < last).toSorted((one, other) => one.at - other.at),
    faultsAt: ({ name, host }, minute) => {
      const own = [name, host, EVERYTHING].flatMap((of) => byOwner.get(of) ?? []);
      const now = own.filter(({ from, to }) => from <= minute && minute < to);
      return [...new Set(now.map(({ fault }) => fault))].toSorted();
    },
  };
}
