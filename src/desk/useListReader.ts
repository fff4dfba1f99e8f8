import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useIdentityField } from '../session/useSession.ts';
import { desk } from './desk.ts';
import { likeliestColumn, parseList, parseTable, type Table } from './parseList.ts';
import { readFile } from './readFile.ts';

/** A text or file as it was read. `column` is an index in `table`; null where the lines are read as text. */
export type ParsedInput = { source: string | null; lines: string[]; table: Table | null; column: number | null };

/** Finds the entries of the input and puts them on the desk. `onProgress` is called with shares of 1. */
export async function startDeskList(
  { source, lines, table, column }: ParsedInput,
  identityField: string | null | undefined,
  onProgress?: (share: number) => void,
): Promise<void> {
  const from = table !== null && column !== null ? { table, column } : { lines };
  await desk.startList(source, await parseList(from, identityField, onProgress));
}

/**
 * Reads a text or a file as the list of the desk. `share` is the part read so far, undefined while nothing is read.
 * `onEmpty` receives a sentence about an input with nothing in it.
 */
export function useListReader(onRead: (read: ParsedInput) => void, onEmpty: (error: string) => void) {
  const identityField = useIdentityField();
  const [share, setShare] = useState<number>();
  const reading = useMutation({
    mutationFn: async (input: string | File) => {
      const source = input instanceof File ? input.name : null;
      const text = input instanceof File ? await readFile(input, (part) => setShare(part / 2)) : input;
      if (text.trim() === '') return onEmpty(source === null ? 'Paste the list first.' : `${source} is empty.`);
      const table = await parseTable(text);
      const column = table && likeliestColumn(table, identityField);
      const read = { source, lines: text.split(/\r\n|\r|\n/), table, column };
      await startDeskList(read, identityField, (part) => setShare(0.5 + part / 2));
      onRead(read);
    },
    onSettled: () => setShare(undefined),
  });
  return { identityField, reading, share };
}
