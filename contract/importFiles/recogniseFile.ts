import { CONTACT_KINDS } from './contactKinds.ts';
import type { FileKind, Provider } from './fileKind.ts';
import { OWN_KINDS } from './ownKinds.ts';
import { SUPPRESSION_KINDS } from './suppressionKinds.ts';

export const FILE_KINDS: readonly FileKind[] = [...CONTACT_KINDS, ...SUPPRESSION_KINDS, ...OWN_KINDS];

export type FileFacts = {
  /** Names of columns, or keys of entries. */
  header: readonly string[];
  /** The texts of a JSON document, besides its list, and the name of that, if it has one. */
  document?: Readonly<Record<string, string>>;
  list?: string | undefined;
};

/** `ask`: which of these it is isn't in the file. `unknown`: with the kind of another provider that it looks like. */
export type Recognition = { kind: FileKind } | { ask: readonly FileKind[] } | { unknown: FileKind | null };

/** `name` says which, where the file doesn't. */
export function recogniseFile(facts: FileFacts, provider: Provider, name?: string): Recognition {
  const fitting = FILE_KINDS.filter((kind) => fits(kind, facts));
  const own = mostSpecific(fitting.filter((kind) => kind.provider === provider));
  const named = name === undefined ? own : own.filter((kind) => kind.name === name);
  const [first] = named;
  if (first === undefined) return { unknown: mostSpecific(fitting).find((kind) => kind.provider !== provider) ?? null };
  return named.length === 1 ? { kind: first } : { ask: named };
}

/**
 * What it may be, of any provider: none, one, or several that the file doesn't distinguish. `isCertain`: it is one of them, because nobody
 * else has such columns.
 */
export function findKinds(facts: FileFacts): { kinds: readonly FileKind[]; isCertain: boolean } {
  const names = new Set([...facts.header, ...(facts.list === undefined ? [] : [facts.list])].map(bareName));
  const fitting = FILE_KINDS.filter((kind) => fits(kind, facts));
  const certain = fitting.filter(({ distinctive = [] }) => distinctive.some((name) => names.has(name)));
  const isCertain = certain.length > 0;
  return { kinds: mostSpecific(isCertain ? certain : fitting), isCertain };
}

export const bareName = (name: string) => name.trim().toLowerCase();

function fits({ has, hasNot = [], marked, list }: FileKind, facts: FileFacts): boolean {
  const { header, document = {} } = facts;
  const names = new Set(header.map(bareName));
  if (facts.list !== undefined && facts.list !== list) return false;
  if (marked !== undefined && document[marked[0]] !== marked[1]) return false;
  return has.every((column) => names.has(column)) && !hasNot.some((column) => names.has(column));
}

/** Those with the most columns of their own. */
function mostSpecific(kinds: readonly FileKind[]): FileKind[] {
  const most = Math.max(...kinds.map(({ has }) => has.length));
  return kinds.filter(({ has }) => has.length === most);
}
