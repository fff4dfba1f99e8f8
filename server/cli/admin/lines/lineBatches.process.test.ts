import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CommandError } from '../../terminal/terminal.ts';
import { type LineBatch, type LineInput, LineThread } from './lineBatches.ts';

const CONTEXT = { identity_field: null };
const contactsIn = (file: string, format: LineInput['format'] = 'ndjson'): LineInput => {
  return { file, format, resource: 'contacts', context: CONTEXT };
};

async function readAll(input: LineInput, rowsMax: number): Promise<{ batches: LineBatch[]; notes: string[] }> {
  const notes: string[] = [];
  await using lines = new LineThread(input, (note) => notes.push(note));
  const batches: LineBatch[] = [];
  for (let batch = await lines.next(rowsMax); batch !== null; batch = await lines.next(rowsMax)) batches.push(batch);
  return { batches, notes };
}

const newFolder = () => mkdtempDisposable(join(tmpdir(), 'sendroom-lines-'));
const rowsOf = (batches: readonly LineBatch[]) =>
  batches.map(({ rows }) => rows.flatMap((text) => JSON.parse(text) as unknown[]));
const contact = (email: string) => `{"attributes":{"email":"${email}"}}\n`;

test('lines come in batches of the size that is asked for, with faults in their places and the share that was read', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'contacts.ndjson');
  writeFileSync(file, `${contact('a@x.test')}nothing\n\n${contact('no email')}${contact('b@x.test')}`);
  const { batches } = await readAll(contactsIn(file), 3);
  expect(rowsOf(batches)).toEqual([
    [
      { number: 1, line: { attributes: { email: 'a@x.test' } } },
      { number: 2, fault: "The line isn't JSON." },
      { number: 4, fault: 'email must be an email address.' },
    ],
    [{ number: 5, line: { attributes: { email: 'b@x.test' } } }],
  ]);
  expect(batches.map(({ share }) => share)).toEqual([1, 1]);
});

test('a batch ends after four million characters, however many lines are asked for', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'contacts.ndjson');
  const note = 'x'.repeat(8_000);
  writeFileSync(file, `{"attributes":{"email":"a@x.test","note":"${note}"}}\n`.repeat(1_000));
  const { batches } = await readAll(contactsIn(file), 10_000);
  expect(rowsOf(batches).map(({ length }) => length)).toEqual([520, 480]);
});

test('what stands about columns comes before the lines', async () => {
  await using folder = await newFolder();
  const file = join(folder.path, 'contacts.csv');
  writeFileSync(file, 'email,pet\na@x.test,cat\n');
  expect(await readAll(contactsIn(file, 'csv'), 10)).toMatchObject({ notes: ['Columns read as attributes: pet.'] });
});

test('a disk that cannot be read is one sentence', async () => {
  // Its first page belongs to no process.
  await expect(readAll(contactsIn('/proc/self/mem'), 10)).rejects.toThrow(
    new CommandError('/proc/self/mem could not be read to its end: EIO.'),
  );
  await expect(readAll(contactsIn('/nowhere/file'), 10)).rejects.toThrow(
    new CommandError('There is no file /nowhere/file.'),
  );
});

test('a thread that fails is an error of the next batch', async () => {
  const unknown = { ...contactsIn('/dev/null'), resource: 'letters' } as unknown as LineInput;
  await expect(readAll(unknown, 10)).rejects.toThrow(TypeError);
});

test('a pipe is read as far as it is written, and ends while more is awaited', async () => {
  await using folder = await newFolder();
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = openSync(pipe, 'r+');
  try {
    const lines = new LineThread(contactsIn(pipe), () => {});
    writeSync(writer, contact('a@x.test'));
    expect(await lines.next(1)).toMatchObject({ share: null });
    const waiting = expect(lines.next(1)).rejects.toThrow('The thread that reads the file ended.');
    await lines[Symbol.asyncDispose]();
    await waiting;
  } finally {
    closeSync(writer);
  }
});
