import type { RecordType } from '../message.ts';
import type { LookUp } from '../resolution.ts';
import type { AddressSet } from './addressSet.ts';
import type { Qualifier } from './parseSpf.ts';

export type SpfInput = {
  domain: string;
  /** One address, or everybody, about whom one evaluation decides at once. */
  addresses: AddressSet;
  /** The MAIL FROM address, and the name that HELO gave; null for any. */
  sender: string | null;
  helo: string | null;
  lookUp: LookUp;
  /** Others than those of receivers, to see how far a record goes beyond them. */
  limits?: SpfLimits;
  /** Of a record that is followed. The standard has no limit. */
  charactersMax?: number;
};

/** How many terms may be looked up for an address, and how many in vain (RFC 7208, section 4.6.4). */
export type SpfLimits = { lookUps: number; voids: number };

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror';

/** A term where it was met. */
export type TermLocation = {
  /** As it is written. */
  text: string;
  /** The name of the record that it is in. */
  at: string;
  /** The terms that led to that record, that of the first record first. */
  way: readonly string[];
};

/** The term of the first record by which one came there. */
export function topLevelTerm({ text, way }: TermLocation): string {
  return way[0] ?? text;
}

/** What an SPF record came to, and how. */
export type SpfEvaluation = {
  /** Every address that was asked about is in one of them. */
  sets: Readonly<Record<SpfResult, AddressSet>>;
  /** The terms that count against the limit of look-ups, in their order. */
  lookUps: readonly TermLocation[];
  /** Those of them that found nothing, of which there is a limit too. */
  voids: readonly (TermLocation & { target: string })[];
  /** Terms that depend on the message, which nobody can follow without one. */
  opaque: readonly (TermLocation & { qualifier: Qualifier; isPositive: boolean })[];
  /** Terms by which a message passes: "+" on all the way from the first record. */
  positives: readonly PassTerm[];
  /** What ended the evaluation for some addresses, in its order. */
  faults: readonly SpfFault[];
};

export type PassTerm = TermLocation & {
  /** The same for terms that mean the same, wherever they are; null for one whose addresses the record itself says. */
  key: string | null;
  /** Whom it lets pass, as far as that is known, be it that an earlier term already decided about them. */
  passes: AddressSet;
  /** Who had not been decided about when it was met. */
  undecided: AddressSet;
  /** Whether it led to a record whose terms are here as well. */
  isFollowed: boolean;
};

export type SpfFault =
  /** Several SPF records at the target of a term, or none. Of the first record itself `text` is empty. */
  | (TermLocation & { kind: 'several' | 'none'; target: string })
  | (TermLocation & { kind: 'syntax'; target: string; words: readonly string[] })
  /** A record of more characters than anybody follows. */
  | (TermLocation & { kind: 'long'; target: string; count: number })
  /** One look-up too many, one that finds nothing too many. */
  | (TermLocation & { kind: 'lookUps' | 'voids' })
  /** A record leads back to itself. */
  | (TermLocation & { kind: 'loop'; target: string })
  | (TermLocation & { kind: 'mxHosts'; target: string; count: number })
  /** The one that is no permanent error: nobody could tell. */
  | (TermLocation & { kind: 'unasked'; target: string; type: RecordType; reason: string });

/** A question, and what became of it so far. */
export type SpfRun = SpfInput & {
  limits: SpfLimits;
  lookUps: TermLocation[];
  voids: SpfEvaluation['voids'][number][];
  opaque: SpfEvaluation['opaque'][number][];
  positives: PassTerm[];
  faults: SpfFault[];
};

export type SpfPermerror = Exclude<SpfFault, { kind: 'unasked' }>;

/** The first permanent error; null when there is none. */
export function findPermerror({ faults }: SpfEvaluation): SpfPermerror | null {
  return faults.find((fault) => fault.kind !== 'unasked') ?? null;
}

/** The first question that nobody could answer; null when there is none. */
export function findUnanswered({ faults }: SpfEvaluation): Extract<SpfFault, { kind: 'unasked' }> | null {
  return faults.find((fault) => fault.kind === 'unasked') ?? null;
}
