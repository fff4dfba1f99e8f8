import type { RecordType } from '../../wire/message.ts';
import type { AddressSet } from './addressSet.ts';
import type { Qualifier } from './parseSpf.ts';
import type { LookUp } from '../../conversation/lookUp.ts';

export type SpfInput = {
  domain: string;
  addresses: AddressSet;
  /** The MAIL FROM address and the name of HELO; null for any. */
  sender: string | null;
  helo: string | null;
  lookUp: LookUp;
  /** Raised to count beyond the limits of receivers. */
  limits?: SpfLimits;
  /** Characters of a record that is followed. The standard has no limit. */
  charactersMax?: number;
};

/** Limits for one address: look-ups, and void look-ups (RFC 7208, section 4.6.4). */
export type SpfLimits = { lookUps: number; voids: number };

const RESULTS = ['pass', 'fail', 'softfail', 'neutral', 'none', 'permerror', 'temperror'] as const;
export type SpfResult = (typeof RESULTS)[number];

export function byResult<T>(of: (result: SpfResult) => T): Record<SpfResult, T> {
  return Object.fromEntries(RESULTS.map((result) => [result, of(result)])) as Record<SpfResult, T>;
}

export type TermLocation = {
  text: string;
  at: string;
  way: readonly string[];
};

export function topLevelTerm({ text, way }: TermLocation): string {
  return way[0] ?? text;
}

export type SpfEvaluation = {
  sets: Readonly<Record<SpfResult, AddressSet>>;
  lookUps: readonly TermLocation[];
  voids: readonly (TermLocation & { target: string })[];
  /** Terms that depend on the message, and cannot be evaluated without one. */
  opaque: readonly (TermLocation & { qualifier: Qualifier; isPositive: boolean })[];
  /** Terms that let a message pass: the qualifier is "+" on the whole way from the first record. */
  positives: readonly PassTerm[];
  errors: readonly SpfError[];
};

export type PassTerm = TermLocation & {
  /** Equal for terms with the same meaning, in any record; null for a term of addresses. */
  key: string | null;
  /** For a term that leads to a record: the name of that record, behind any alias. */
  owner?: string | undefined;
  /** The addresses that it matches, as far as known, even if an earlier term has decided them. */
  passes: AddressSet;
  undecided: AddressSet;
  isFollowed: boolean;
};

export type SpfError =
  | (TermLocation & { kind: 'several' | 'none'; target: string })
  | (TermLocation & { kind: 'syntax'; target: string; words: readonly string[] })
  | (TermLocation & { kind: 'long'; target: string; count: number })
  /** More look-ups, or more void look-ups, than the limit. `voids6`: for IPv6 senders only. */
  | (TermLocation & { kind: 'lookUps' | 'voids' | 'voids6' })
  | (TermLocation & { kind: 'loop'; target: string })
  | (TermLocation & { kind: 'mxHosts'; target: string; count: number })
  /** A failed query: the only one that is not a permanent error. */
  | (TermLocation & { kind: 'unasked'; target: string; type: RecordType; reason: string });

export type SpfRun = SpfInput & {
  limits: SpfLimits;
  lookUps: TermLocation[];
  voids: SpfEvaluation['voids'][number][];
  opaque: SpfEvaluation['opaque'][number][];
  positives: PassTerm[];
  errors: SpfError[];
  owners: Map<string, string>;
};

export type SpfPermerror = Exclude<SpfError, { kind: 'unasked' }>;

export function findPermerror({ errors }: SpfEvaluation): SpfPermerror | null {
  return errors.find((error) => error.kind !== 'unasked') ?? null;
}

export function findUnanswered({ errors }: SpfEvaluation): Extract<SpfError, { kind: 'unasked' }> | null {
  return errors.find((error) => error.kind === 'unasked') ?? null;
}
