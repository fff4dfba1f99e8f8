/** From so many letters on, one letter more, less, other or moved is a slip: of shorter names it is another word. */
const SLIP_MIN = 4;

/**
 * An error for each name in `given` that is a `known` one misspelt: written together, in other letter case, or with one slip. To
 * ignore it would give another answer than was asked for, silently. Other unknown names are left alone.
 */
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

function isMisspelt(name: string, known: string): boolean {
  const [written, right] = [lettersOf(name), lettersOf(known)];
  return written === right || (right.length >= SLIP_MIN && isOneSlip(written, right));
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Whether one letter more, less or other, or two changed places, make `right` of `written`. */
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
