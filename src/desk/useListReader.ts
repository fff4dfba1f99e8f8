import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentityField } from '../contact/parseIdentity.ts';
import { describeFallbacks } from '../list/fallbacks.ts';
import { findBystanders, findReplyAddresses } from '../list/mail/bystanders.ts';
import { type ParsedEntry, parseList } from '../list/parseList.ts';
import { UnusableFileError } from '../list/readFile.ts';
import { readInput, type ParsedInput } from '../list/readInput.ts';
import { useIdentityField } from '../session/useSession.ts';
import { desk } from './desk.ts';
import type { ReadList } from './deskState.ts';
import { UNDECIDED } from './entry.ts';
import { lookUpSenders } from './knownSenders.ts';
import { describeOwnAddress, readOwnDomains, readOwnEmail } from './ownDomains.ts';

/** Readings of a list, which may replace the one that is planned. */
export const READING = ['reading of a list'];

/**
 * Finds the entries of the input. Addresses at a domain of the workspace and that of whoever is signed in are
 * left out until somebody takes them in, and so are those whom a mail only mentions. Of a sender with another address for answers, it is asked which is a contact. `onProgress` is called with shares of 1.
 */
export async function findEntries(
  read: ParsedInput,
  identityField: IdentityField,
  onProgress?: (share: number) => void,
): Promise<ReadList> {
  const entries = await parseList(read, identityField, onProgress);
  if (entries.length === 0) throw new UnusableFileError('It has no email, phone number or ID in it.');
  const { names, note } = await readOwnDomains();
  const ownEmail = readOwnEmail();
  const describeOwn = ({ values: [address = ''] }: ParsedEntry) => describeOwnAddress(address, names, ownEmail);
  const isOwn = (entry: ParsedEntry) => describeOwn(entry) !== null;
  const known = await lookUpSenders(findReplyAddresses(entries, read.lines, isOwn));
  const bystanders = findBystanders(entries, read.lines, isOwn, known);
  const leftOut = (entry: ParsedEntry) => describeOwn(entry) ?? bystanders.get(entry) ?? null;
  const column = read.column === null ? null : (read.table?.headings[read.column] ?? null);
  const fallbacks = read.isUndecided || column === null ? null : describeFallbacks(entries, column);
  return {
    source: read.name,
    notes: [...read.notes, fallbacks, note].filter((text) => text !== null),
    column,
    entries: entries.map((entry) => ({
      ...entry,
      leftOut: read.isUndecided ? UNDECIDED : (entry.leftOut ?? leftOut(entry)),
    })),
  };
}

/**
 * Reads a text or a file as the list of the desk. `share` is the part read so far, undefined while nothing is read.
 * `onEmpty` receives a sentence about an input with nothing in it.
 */
export function useListReader(onRead: (read: ParsedInput) => void, onEmpty: (error: string) => void) {
  const identityField = useIdentityField();
  const [share, setShare] = useState<number>();
  const reading = useMutation({
    mutationKey: READING,
    mutationFn: async (input: string | File) => {
      const reading = readInput(input, identityField, (part) => setShare(part / 2));
      const isPlaced = await desk.startList(async () => {
        const read = await reading;
        if (read.lines.every(({ text }) => text.trim() === '')) {
          onEmpty(read.name === null ? 'Paste the list first.' : `${read.name} is empty.`);
          return null;
        }
        return findEntries(read, identityField, (part) => setShare(0.5 + part / 2));
      });
      if (isPlaced) onRead(await reading);
    },
    onSettled: () => setShare(undefined),
  });
  return { identityField, reading, share };
}
