import type { SuppressionReason } from '#contract/suppressions/suppression.ts';
import { ATTRIBUTE_BYTES_MAX, UUID } from '#contract/values/field.ts';
import { isObject, parseJson } from '#contract/values/json.ts';
import { must } from '#contract/values/must.ts';
import { readMailbox } from './headerLine.ts';
import type { ChosenUse, FileKind, Target, Why } from './fileKind.ts';
import { bareName } from './recogniseFile.ts';
import { bareLetters } from './consents.ts';
import { parseSourceTime } from './sourceTime.ts';

/** What each column of a file becomes. */
export type Plan = { columns: readonly PlannedColumn[]; suppressed: Why | null };
/** The lowest `rank` counts where several columns say why. `chosen`: for what, and `named`: by which name, if somebody chose its target. */
export type PlannedColumn = { name: string; target: Target; rank: number; chosen?: ChosenUse; named?: string };

export type Description = Pick<FileKind, 'columns' | 'others' | 'suppressed'>;

export function planFile({ columns, others, suppressed }: Description, header: readonly string[]): Plan {
  const described = Object.keys(columns);
  const planned = header.map((given) => {
    const name = given.trim();
    const rank = described.indexOf(bareName(name));
    const known = rank === -1 ? undefined : columns[must(described[rank])];
    return { name, target: known ?? toOther(name, others), rank };
  });
  return { columns: planned, suppressed: suppressed ?? null };
}

const OF_ATTRIBUTES = 'attributes.';

/** In our own list of unsubscribed contacts. */
const OF_CONTACT = 'contact.attributes.';

function toOther(name: string, others: FileKind['others']): Target {
  if (name.startsWith(OF_CONTACT) && name !== OF_CONTACT) return { attribute: name.slice(OF_CONTACT.length) };
  const attribute = name.startsWith(OF_ATTRIBUTES) ? attributeOf(name) : name;
  return others === 'nowhere' || attribute === '' ? 'nowhere' : { attribute };
}

/** The attribute for which two columns are, if any. */
export function findDouble({ columns }: Plan): string | null {
  const names = columns.flatMap(({ target }) => {
    if (typeof target !== 'object') return [];
    if ('keptAs' in target) return target.keptAs ?? [];
    return 'attribute' in target ? target.attribute : [];
  });
  return names.find((name, index) => names.indexOf(name) !== index) ?? null;
}

export const NAMED_ADDRESS = 'has a name before the address. Only the address is imported.';

/** A line of an import of contacts; `doubts` say what couldn't be read in it. */
export type Translation = { value: object; doubts: readonly string[] } | { fault: string };

type Line = {
  uuid: string | null;
  whole: object;
  attributes: [string, string][];
  subscribed: boolean | null;
  why: Why | null;
  reason: { rank: number; value: SuppressionReason } | null;
  /** Names of columns that say more about an unsubscribe. */
  details: string[];
  /** What an unknown reason becomes. */
  unknown: string | null;
  created_at: string | null;
  updated_at: string | null;
  since: string | null;
};

/** Never says that somebody is subscribed: that's the default of a new contact, and changes nobody else. */
export function translateRow({ columns, suppressed }: Plan, cells: readonly string[]): Translation {
  const line: Line = {
    uuid: null,
    whole: {},
    attributes: [],
    subscribed: null,
    why: null,
    reason: null,
    details: [],
    unknown: null,
    created_at: null,
    updated_at: null,
    since: null,
  };
  const doubts: string[] = [];
  for (const [index, column] of columns.entries()) {
    const problem = readCell(line, column, cells[index] ?? '');
    if (problem === null) continue;
    if ('fault' in problem) return problem;
    doubts.push(problem.doubt);
  }
  const { uuid, whole, attributes, created_at, updated_at, since, subscribed, reason, details } = line;
  const why = reason?.value ?? suppressed ?? line.why;
  const isSuppressed = suppressed !== null || subscribed === false;
  if (isSuppressed && line.unknown !== null) doubts.push(line.unknown);
  if (!isSuppressed && details.length > 0)
    doubts.push(
      `Nothing in the line unsubscribes the contact, so ${details.join(' and ')} ${details.length === 1 ? 'is' : 'are'} left out.`,
    );
  return {
    value: {
      ...(uuid !== null && { uuid }),
      attributes: mergeCells(withoutReplaced(whole, columns), attributes),
      ...(created_at !== null && { created_at }),
      ...(updated_at !== null && { updated_at }),
      ...(isSuppressed && {
        subscribed: false,
        suppression: { reason: why === 'unknown' ? null : why, ...(since !== null && { since }) },
      }),
    },
    doubts,
  };
}

/** Without attributes whose own columns are left out, or became something else. */
function withoutReplaced(whole: object, columns: Plan['columns']): object {
  const replaced = new Set(columns.flatMap(({ name, target }) => (isReplaced(name, target) ? attributeOf(name) : [])));
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !replaced.has(name)));
}

const attributeOf = (name: string): string => name.slice(OF_ATTRIBUTES.length);

const isReplaced = (name: string, target: Target): boolean =>
  name.startsWith(OF_ATTRIBUTES) &&
  !(typeof target === 'object' && 'attribute' in target && target.attribute === attributeOf(name));

/** `whole` with the cells of attributes that say something else: a number in it is text in its cell. */
export function mergeCells(whole: object, cells: readonly (readonly [name: string, cell: string])[]): object {
  const differing = cells.filter(([name, cell]) => !isSameValue(whole, name, cell));
  return { ...whole, ...Object.fromEntries(differing) };
}

function isSameValue(whole: object, name: string, cell: string): boolean {
  if (!Object.hasOwn(whole, name)) return false;
  return JSON.stringify((whole as Record<string, unknown>)[name]) === JSON.stringify(parseJson(cell));
}

function readCell(
  line: Line,
  { name, target, rank }: PlannedColumn,
  raw: string,
): { fault: string } | { doubt: string } | null {
  const cell = raw.trim();
  if (typeof target === 'object' && 'accepts' in target) {
    const { accepts, otherwise } = target;
    const values = cell.replaceAll(/[[\]"]/g, '').split(',');
    return values.join('').trim() === '' || values.some((value) => accepts.includes(value.trim()))
      ? null
      : { fault: otherwise };
  }
  if (cell === '' || target === 'nowhere') return null;
  if (typeof target === 'object' && 'keptAs' in target && target.keptAs !== undefined)
    line.attributes.push([target.keptAs, raw]);
  if (target === 'uuid') {
    if (!UUID.test(cell)) return { fault: `${name} isn't a UUID.` };
    line.uuid = cell;
  } else if (target === 'attributes') {
    const whole = parseJson(cell);
    if (!isObject(whole)) return { fault: `${name} isn't a JSON object.` };
    if (Object.hasOwn(whole, '__proto__')) return { fault: "An attribute can't be called __proto__." };
    line.whole = whole;
  } else if (typeof target === 'string') {
    const time = parseSourceTime(cell);
    // Losing an unsubscribe because of its day would be worse than losing the day.
    if (time === null) return { doubt: `${name} isn't a time that can be read in one way only, so it's left out.` };
    line[target] = new Date(time).toISOString();
  } else if ('attribute' in target) {
    // Each UTF-16 unit takes a byte or more. The service measures what's shorter.
    if (raw.length > ATTRIBUTE_BYTES_MAX)
      return { fault: `${name} is longer than ${ATTRIBUTE_BYTES_MAX / 1024} KiB, the maximum of an attribute.` };
    const mailbox = target.attribute === 'email' ? readMailbox(raw) : null;
    line.attributes.push([target.attribute, mailbox?.address ?? raw]);
    if (mailbox !== null && mailbox.name !== '') return { doubt: `${name} ${NAMED_ADDRESS}` };
  } else if ('subscribed' in target) {
    const subscribed = valueOf(target.subscribed, cell);
    if (subscribed === undefined) return { fault: `${name} must be true or false, or yes or no.` };
    line.subscribed = subscribed && line.subscribed !== false;
    if (!subscribed) line.why ??= target.why;
  } else if ('filled' in target) {
    line.subscribed = false;
    line.why ??= target.filled;
  } else if ('dateOrder' in target) {
    return readDate(line, name, cell, target);
  } else {
    const known = valueOf(target.reason, cell) ?? valueOf(target.reason, bareLetters(cell));
    const value = known ?? target.otherwise;
    if (value !== undefined && (line.reason === null || rank < line.reason.rank)) line.reason = { rank, value };
    if (target.otherwise === undefined) return null;
    line.details.push(name);
    if (known === undefined)
      line.unknown = `${name}: "${excerptOf(cell)}" isn't a known reason, so it becomes "${value}".`;
  }
  return null;
}

/** A day may have begun elsewhere. */
const DAY_MS = 86_400_000;

function readDate(
  line: Line,
  name: string,
  cell: string,
  { dateOrder, unsubscribes }: Extract<Target, { dateOrder: unknown }>,
): { fault: string } | { doubt: string } | null {
  const time = parseSourceTime(cell, dateOrder);
  if (time === null || time > Date.now() + DAY_MS) {
    const sentence = `${name} ${time === null ? "isn't a date that can be read in one way only" : 'is in the future'}`;
    // Whether it unsubscribes isn't certain either.
    return unsubscribes
      ? { fault: `${sentence}. Write a date like 2026-01-31.` }
      : { doubt: `${sentence}, so it's left out.` };
  }
  line.since = new Date(time).toISOString();
  line.details.push(name);
  if (unsubscribes) line.subscribed = false;
  return null;
}

/** Characters of a value in a sentence. */
const EXCERPT_MAX = 60;
const excerptOf = (cell: string): string =>
  cell.length > EXCERPT_MAX ? `${cell.slice(0, EXCERPT_MAX).toWellFormed()} …` : cell;

/** No inherited property, such as `constructor`. */
function valueOf<Value>(values: Readonly<Record<string, Value>>, cell: string): Value | undefined {
  const key = cell.toLowerCase();
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
