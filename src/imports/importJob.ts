import {
  FILE_NAME_MAX,
  importRows,
  type ImportRow,
  previewImport,
  ROWS_AT_ONCE,
  type RowOutcome,
  startImport,
} from '#contract/imports.ts';
import { must } from '#contract/values/must.ts';
import type { Why } from '#contract/importFiles/fileKind.ts';
import { request } from '../api/client.ts';
import { Sender } from '../api/sender.ts';
import { sessionSignal } from '../session/session.ts';
import type { Plan } from '#contract/importFiles/translateRow.ts';
import { groupLines } from './groupLines.ts';
import type { Choices, Source, Translated } from './mapping.ts';
import type { BadLine, ExportFile } from './readExport.ts';

/** Bytes of the rows of a request, whose body may have 256 KiB. */
const BATCH_BYTES = 200_000;
/** Fields of the rows of a request, whose body may have 20,000. */
const BATCH_FIELDS = 15_000;
/** Of a row, besides its attributes. */
const ROW_FIELDS = 6;

const utf8 = new TextEncoder();

/** The next rows that fit into a request, at least one. */
export function takeBatch(rows: Translated['rows'], from: number): ImportRow[] {
  const batch: ImportRow[] = [];
  let [bytes, fields] = [0, 0];
  for (const { row } of rows.slice(from, from + ROWS_AT_ONCE)) {
    bytes += utf8.encode(JSON.stringify(row)).length + 1;
    fields += Object.keys(row.attributes).length + ROW_FIELDS;
    if (batch.length > 0 && (bytes > BATCH_BYTES || fields > BATCH_FIELDS)) break;
    batch.push(row);
  }
  return batch;
}

/** Some messages leave it to the field to say which attribute is meant. */
const describeErrors = ({ errors = [] }: RowOutcome) =>
  errors
    .map(({ field, message }) => {
      const name = field.replace(/^attributes\./, '');
      return message.includes(name) ? message : `${name}: ${message}`;
    })
    .join(' ');

/** The lines that the service refuses, of those that were sent from `from` on. */
const refusedOf = (rows: Translated['rows'], from: number, outcomes: readonly RowOutcome[]): BadLine[] =>
  outcomes.flatMap((outcome, index) =>
    outcome.outcome === 'refused' ? [{ number: must(rows[from + index]).number, fault: describeErrors(outcome) }] : [],
  );

/** What an import would do, by line. `repeats`: those about somebody that an earlier line is about. `reasons`: of those that unsubscribe. */
export type Preview = {
  added: number;
  /** Of those added. */
  addedUnsubscribed: number;
  changed: number;
  unchanged: number;
  repeats: number;
  unsubscribed: number;
  /** Unsubscribed already; it would record a stronger reason. */
  recorded: number;
  reasons: ReadonlyMap<Why, number>;
  /** Who it may unsubscribe, by email or phone. */
  toUnsubscribe: readonly string[];
  refused: readonly BadLine[];
  /** Lines that are imported without what couldn't be read in them. */
  doubts: readonly BadLine[];
};

const NOTHING = { added: 0, addedUnsubscribed: 0, changed: 0, unchanged: 0, repeats: 0, unsubscribed: 0, recorded: 0 };

export type OnProgress = (done: number) => void;

/**
 * Asks the service, which changes nothing and tries each request by itself: lines about the same contact are in the same one, unless
 * there are more than fit into it.
 */
export async function previewRows(
  { rows, refused, doubts }: Translated,
  identityField: string | null,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Preview> {
  const sender = new Sender(signal);
  const counts = { ...NOTHING };
  const bad = [...refused];
  const reasons = new Map<Why, number>();
  const toUnsubscribe = new Set<string>();
  const groups = groupLines(rows, identityField);
  const grouped = groups.flat();
  const starts = new Set<Translated['rows'][number] | undefined>([undefined, ...groups.map(([first]) => first)]);
  const repeated = new Set(groups.flatMap((lines) => lines.slice(1)));
  for (let at = 0; at < grouped.length;) {
    const most = takeBatch(grouped, at);
    const whole = most.findLastIndex((_, index) => starts.has(grouped[at + index + 1])) + 1;
    const batch = most.slice(0, whole || most.length);
    const { data, meta } = await sender.send(() => request(previewImport, { body: { rows: batch } }, signal));
    for (const [index, line] of grouped.slice(at, at + batch.length).entries()) {
      const { outcome } = must(data[index]);
      if (outcome === 'refused') continue;
      const { suppression, attributes } = line.row;
      const address = attributes['email'] ?? attributes['phone'];
      if (suppression && outcome === 'changed' && typeof address === 'string') toUnsubscribe.add(address);
      const why = suppression && (suppression.reason ?? 'unknown');
      if (why) reasons.set(why, (reasons.get(why) ?? 0) + 1);
      counts[outcome]++;
      if (suppression && outcome === 'added') counts.addedUnsubscribed++;
      if (repeated.has(line)) counts.repeats++;
    }
    counts.unsubscribed += meta.unsubscribed;
    counts.recorded += meta.recorded;
    bad.push(...refusedOf(grouped, at, data.slice(0, batch.length)));
    at += batch.length;
    onProgress(at);
  }
  return { ...counts, reasons, toUnsubscribe: [...toUnsubscribe], refused: bad, doubts };
}

type Begun = {
  run: string;
  file: ExportFile;
  source: Source;
  choices: Choices;
  plan: Plan;
  translated: Translated;
  /** By its preview. */
  unsubscribes: number;
};

/** Writes the rows that the service lacks; gives the lines that it refused. A repeat of a request changes nothing. */
export async function writeRows(
  { run, file, source, choices, translated: { rows, refused }, unsubscribes }: Begun,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<BadLine[]> {
  const sender = new Sender(AbortSignal.any([signal, sessionSignal()]));
  const mapping = Array.from(choices, ([column, choice]) => ({
    column,
    ...(choice !== null && typeof choice === 'object' ? { attribute: null, ...choice } : { attribute: choice }),
  }));
  const body = {
    uuid: run,
    rows: rows.length,
    digest: file.digest,
    file: file.name.slice(0, FILE_NAME_MAX).toWellFormed() || null,
    source: source.id,
    mapping,
    unreadable: refused.length,
    ...(unsubscribes > 0 && { unsubscribes }),
  };
  const { data: begun } = await sender.send(() => request(startImport, { body }));
  if (begun.entries !== rows.length) throw new Error('The service has this import with other lines. Start a new one.');
  const bad: BadLine[] = [];
  onProgress(begun.received);
  for (let at = begun.received; at < rows.length;) {
    const batch = takeBatch(rows, at);
    const { data, meta } = await sender.send(() => request(importRows, { run, body: { from: at, rows: batch } }));
    // Fewer after a repeat: the first of them were written before.
    bad.push(...refusedOf(rows, meta.received - data.length, data));
    at = meta.received;
    onProgress(at);
  }
  return bad;
}
