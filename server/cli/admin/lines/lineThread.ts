import { parentPort, workerData } from 'node:worker_threads';
import { must } from '#contract/values/must.ts';
import { nameOfInput, openInput, STANDARD_STREAM, toCommandError } from '../../terminal/files.ts';
import { CommandError } from '../../terminal/terminal.ts';
import { createContactNotes } from './contactNotes.ts';
import { lineKinds } from './lineKinds.ts';
import type { CheckedRow, LineBatch, LineInput, ThreadMessage } from './lineBatches.ts';
import { readExport } from './readExport.ts';
import { type ImportRow, readRows } from './readRows.ts';

// A thread that reads a file and checks its lines (lineBatches.ts). An unforeseen error ends it.

/** Characters (`sizeOf`) after which a batch ends even if it has few lines. */
const BATCH_CHARACTERS_MAX = 4 * 1024 * 1024;
/** Rows of one text of a batch. The whole batch as one would be in memory twice while it is put together. */
const TEXT_ROWS = 500;
const CONTAINER_SIZE = 28;

const { file, format, resource, context, exported } = workerData as LineInput;
const { columns, check } = lineKinds[resource];
let input: { rows: AsyncIterator<ImportRow>; share: () => number | null } | null = null;

const port = must(parentPort);
port.on('message', (rowsMax: number) => void answer(rowsMax));

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
const post = (message: ThreadMessage) => port.postMessage(message);
const onNote = (note: string) => post({ note });
const noteContact = resource === 'contacts' ? createContactNotes(context, onNote) : null;

async function answer(rowsMax: number): Promise<void> {
  try {
    post({ batch: await readBatch(rowsMax) });
  } catch (error) {
    const known = toCommandError(error, nameOfInput(file), 'read');
    if (!(known instanceof CommandError)) throw error;
    post({ refusal: known.message });
  }
}

async function readBatch(rowsMax: number): Promise<LineBatch | null> {
  input ??= open();
  const rows: string[] = [];
  let texts: string[] = [];
  const join = () => {
    if (texts.length > 0) rows.push(`[${texts.join()}]`);
    texts = [];
  };
  let size = 0;
  for (let count = 0; count < rowsMax && size < BATCH_CHARACTERS_MAX; count++) {
    const { value: row, done } = await input.rows.next();
    if (done === true) break;
    const text = JSON.stringify(checkRow(row));
    texts.push(text);
    size += sizeOf(text);
    if (texts.length === TEXT_ROWS) join();
  }
  join();
  return rows.length === 0 ? null : { rows, share: input.share() };
}

function open(): NonNullable<typeof input> {
  const { source, share } = openInput(file);
  // A pipe, and a file at standard input, are read once.
  const openAgain = file === STANDARD_STREAM || share() === null ? null : () => openInput(file).source;
  const rows =
    exported === undefined
      ? readRows(source, format, columns(context), onNote, openAgain)
      : readExport(source, format, exported, onNote);
  return { rows: rows[Symbol.asyncIterator](), share };
}

function checkRow(row: ImportRow): CheckedRow {
  if ('fault' in row) return row;
  const checked = check(row.value, context);
  if ('line' in checked) noteContact?.(row.number, checked.line);
  return { number: row.number, ...checked };
}

/** The approximate size in memory of what a text of JSON says, in characters. Nested lists take more than their text. */
function sizeOf(text: string): number {
  let containers = 0;
  for (const start of ['[', '{']) {
    for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) containers++;
  }
  return Math.max(text.length, containers * CONTAINER_SIZE);
}
