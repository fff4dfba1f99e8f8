import { parseJson } from '#contract/values/json.ts';

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

/** As its line has it. */
export function readErasure({ erasure }: { erasure: string | null }): LoggedErasure {
  return { ...NOTHING, ...(parseJson(erasure ?? 'null') as Partial<LoggedErasure> | null | undefined) };
}
