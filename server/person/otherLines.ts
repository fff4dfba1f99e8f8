import type { Identity } from '../contacts/identity.ts';
import type { Scope } from '../database/scope.ts';
import { ESCAPE_MARKS } from './escapes.ts';
import { foldSpelling, lineTest, tellingDigits } from './mentions.ts';

/** Lines that are searched at once, in some milliseconds: a file of SQLite is read without a pause. */
const LINES_AT_ONCE = 1_000;
/** Fewer where they have so many bytes: a change may have 1.6 MB. */
const BYTES_AT_ONCE = 1024 * 1024;

/** The numbers of the lines found, and the last line that was read; `isEnd` if it is the last of the log. */
type FoundLines = { numbers: number[]; last: number; isEnd: boolean };

/**
 * Looks through some lines after `after` for those that are not about the contact and name one of its `identities`: lines of a
 * contact that had one before, or reasons that mention one.
 */
export async function findOtherLines(
  scope: Scope,
  contactUuid: string,
  identities: readonly Identity[],
  after: number,
): Promise<FoundLines> {
  const lines = await scope
    .select('changes')
    .select(['number', 'contact_uuid', 'size'])
    .where('number', '>', after)
    .orderBy('number')
    .limit(LINES_AT_ONCE)
    .execute();
  let bytes = 0;
  const read = lines.filter(({ size }) => (bytes += size) - size < BYTES_AT_ONCE);
  const last = read.at(-1)?.number ?? after;
  const values = await scope
    .select('change_values')
    .select(['number', 'summary', 'changes'])
    .where('number', '>', after)
    .where('number', '<=', last)
    .execute();
  const own = new Set(read.flatMap((line) => (line.contact_uuid === contactUuid ? [line.number] : [])));
  const mayName = quickTest(identities);
  const namesOne = lineTest(identities, scope.workspace.identity_field);
  const numbers = values
    .filter((line) => !own.has(line.number) && (mayName.test(line.summary) || mayName.test(line.changes)))
    .filter(namesOne)
    .map(({ number }) => number);
  return { numbers, last, isEnd: read.length === lines.length && lines.length < LINES_AT_ONCE };
}

/** Gaps in a phone number, as JSON writes them, and the zero of "(0)". */
const LEFT_OUT = String.raw`(?:[ \-./()+0]|\\[trn])*`;
const NOT_ASCII = String.raw`[^\0-\x7f]`;

/**
 * Matches each text of JSON that names one of `identities`, and few others, so that only these are parsed: what is beyond ASCII, of which
 * letter case is no simple matter, and what may be escaped.
 */
function quickTest(identities: readonly Identity[]): RegExp {
  const named = identities.map((identity) => {
    const phone = tellingDigits(identity);
    if (phone !== null) return Array.from(phone.replaceAll('0', '')).join(LEFT_OUT);
    return RegExp.escape(JSON.stringify(foldSpelling(identity.key)).slice(1, -1));
  });
  return new RegExp([NOT_ASCII, ...ESCAPE_MARKS.map((mark) => RegExp.escape(mark)), ...named].join('|'), 'i');
}
