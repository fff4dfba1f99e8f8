import { readable } from '#contract/characterStrings.ts';
import type { Finding } from '#contract/dnsCheck.ts';
import { relativeTo } from '#contract/dnsName.ts';
import { visible } from '#contract/visible.ts';
import { formatData } from './assess.ts';
import { clip, inSentence } from './boundedFinding.ts';
import { catalogue, type Judgement, resultOf, turnOf } from './catalogue/catalogue.ts';
import type { About, Entry, Role } from './catalogue/entry.ts';
import { dnsHostOf } from './dnsHost.ts';
import { digLine, evidenceOf } from './evidence.ts';
import type { Inspection } from './inspection.ts';
import type { Exchange } from './run.ts';
import type { Offered } from './safeOffer.ts';

/** What a judgement is about, and what it came from. */
export type Subject = {
  role: Role;
  domain: string;
  name: string;
  type: string;
  /** Null when nobody could tell. */
  zone: string | null;
  serverNames: readonly string[];
  /** As people write it; null where there is no single one. */
  expected: string | null;
  found: readonly string[];
  /** What to type; null when nothing is. */
  offer: { value: string; priority: number | null } | null;
  evidence: readonly Exchange[];
  /** In milliseconds since 1970. */
  until?: number | undefined;
};

/** A verdict on a record in words. */
export function present(inspection: Inspection, { verdict, offer }: Offered): Finding {
  const { judgement, found, until } = verdict;
  const { expected, zone, delegation, evidence } = inspection;
  const { name, type, domain, priority } = expected;
  return inWords(judgement, {
    role: 'record',
    domain,
    name,
    type,
    zone,
    serverNames: delegation.serverNames,
    expected: formatData(expected),
    found: judgement.found ?? found,
    offer: offer === null ? null : { value: offer, priority },
    evidence,
    until,
  });
}

/** A judgement in words. As everything from the DNS they are made harmless by whoever prints them. */
export function inWords(judgement: Judgement, subject: Subject): Finding {
  const { code, facts } = judgement;
  const { role, domain, name, type, zone, serverNames, expected, found, offer, evidence, until } = subject;
  const { says, todo }: Entry<never> = catalogue[code] as Entry<never>;
  const host = zone === null ? null : relativeTo(name, zone);
  const about: About = {
    role,
    domain,
    name,
    type,
    zone,
    host: host ?? name,
    dnsHost: dnsHostOf(serverNames),
    expected: expected ?? '',
    found: inSentence(found),
  };
  const result = resultOf(code, role);
  return {
    result,
    code,
    expected,
    found: [...found],
    zone,
    diagnosis: clip(visible(readable(says(facts as never, about)))),
    turn: turnOf(judgement),
    fix:
      offer === null || todo === undefined
        ? null
        : { todo: clip(visible(readable(todo(facts as never, about)))), type, host, name, ...offer },
    until: until === undefined ? null : new Date(until).toISOString(),
    evidence: evidence.map(evidenceOf),
    dig: digLine(evidence.at(-1), { name, type }),
  };
}
