/** Letters from which one more, less, other or moved letter is a typo; a shorter name is another word. */
const SLIP_MIN = 4;

/** An error for each misspelt `known` name: joined, in another letter case, or with one typo. Ignoring it would return wrong results. */
export function findMisspeltNames(
  given: Iterable<string>,
  known: readonly string[],
): { field: string; message: string }[] {
  return [...new Set(given)].flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((one) => isMisspelt(name, one));
    if (meant === undefined) return [];
    return [{ field: name, message: `Did you mean ${meant}? The parameters here are ${known.join(', ')}.` }];
  });
}

/** Joined, in another letter case, or with one typo. */
export function isMisspelt(name: string, known: string): boolean {
  const [written, right] = [lettersOf(name), lettersOf(known)];
  return written === right || (right.length >= SLIP_MIN && isOneSlip(written, right));
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function isOneSlip(written: string, right: string): boolean {
  if (Math.abs(written.length - right.length) > 1) return false;
  let start = 0;
  while (start < right.length && written[start] === right[start]) start++;
  const [rest, wanted] = [written.slice(start), right.slice(start)];
  if (written.length !== right.length) {
    const [long, short] = rest.length > wanted.length ? [rest, wanted] : [wanted, rest];
    return long.slice(1) === short;
  }
  const isMoved = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return isMoved || rest.slice(1) === wanted.slice(1);
}
