import { identityKey } from '../identity/parse/findIdentities.ts';
import { readAnswer } from './answers.ts';
import { describeDisagreement, isOfComment, type Piece } from './piece.ts';
import { isOfState } from './stateColumns.ts';

const keyOf = ({ reading }: Piece): string => (reading.ok ? identityKey(reading) : '');
const isDoubted = ({ reading, leftOut, answers }: Piece): boolean =>
  reading.ok && (answers !== undefined || (leftOut !== null && (isOfState(leftOut) || isOfComment(leftOut))));
const whatSays = ({ leftOut, answers }: Piece): string =>
  answers === undefined ? String(leftOut) : answers.map(readAnswer).join('\n');

/** For rows of one person that say different things, in columns of state or in a remark: why they are left out. */
export function findDisagreements(pieces: readonly Piece[]): (piece: Piece) => string | null {
  const people = new Map<string, { lines: number[]; says: Set<string> }>();
  for (const piece of pieces) if (isDoubted(piece)) people.set(keyOf(piece), { lines: [], says: new Set() });
  if (people.size === 0) return () => null;
  for (const piece of pieces) {
    const person = people.get(keyOf(piece));
    person?.lines.push(piece.line);
    person?.says.add(whatSays(piece));
  }
  return (piece) => {
    const person = people.get(keyOf(piece));
    return person !== undefined && person.says.size > 1 ? describeDisagreement(person.lines) : null;
  };
}
