import { parseJson } from '#contract/json.ts';
import type { LineSummary } from './lineSummary.ts';

/**
 * What the check has to know of an erasure: how many identities are refused, a digest of their hashes and one of the key of these, and the
 * numbers of lines about others that were emptied because they named the person. It names nobody, so that no erasure removes it.
 */
export type LoggedErasure = {
  identities: number | null;
  refused: string | null;
  key: string | null;
  lines: readonly number[];
};

const NOTHING: LoggedErasure = { identities: null, refused: null, key: null, lines: [] };

/** As its line has it; in lines of before there was a column for it, as their text says, if that was not removed. */
export function readErasure({ erasure, summary }: { erasure: string | null; summary: string | null }): LoggedErasure {
  if (erasure !== null) return { ...NOTHING, ...(parseJson(erasure) as Partial<LoggedErasure> | undefined) };
  const { details = null } = (parseJson(summary ?? 'null') ?? {}) as Partial<LineSummary>;
  if (details === null) return NOTHING;
  const lines = String(details['other_lines'] ?? '');
  return {
    identities: Number(details['identities'] ?? 0),
    refused: details['refused_digest'] === undefined ? null : String(details['refused_digest']),
    key: null,
    lines: lines === '' ? [] : lines.split(' ').map(Number),
  };
}
