import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Identity } from '../contacts/identity.ts';
import { iteratePages } from '../database/iteratePages.ts';
import type { Scope } from '../database/scope.ts';
import { containsWord } from '../database/textSearch.ts';
import { ESCAPE_MARKS } from './escapes.ts';
import { foldSpelling, lineTest, tellingDigits } from './mentions.ts';

/** Lines whose values are searched by one statement. */
export const LINES_AT_ONCE = 5_000;
/** A change may have 1.6 MB. */
const CHANGES_AT_ONCE = 20;

/**
 * The numbers of the lines after `after`, up to `last`, that are not about the contact and name one of its `identities`: lines of a
 * contact that had one before, or reasons that mention one.
 */
export async function findOtherLines(
  scope: Scope,
  contactUuid: string,
  identities: readonly Identity[],
  [after, last]: [after: number, last: number],
): Promise<number[]> {
  if (identities.length === 0) return [];
  const mayName = ['summary', 'change_values.changes'].flatMap((column) => conditions(sql.ref(column), identities));
  const rows = iteratePages<{ number: number; summary: string; changes: string }>((previous) =>
    scope.run(sql<{ number: number; summary: string; changes: string }>`
      select change_values.number as number, summary, change_values.changes as changes
      from change_values join changes
        on changes.workspace_id = change_values.workspace_id and changes.number = change_values.number
      where change_values.workspace_id = ${scope.id}
        and change_values.number > ${previous?.number ?? after} and change_values.number <= ${last}
        and coalesce(contact_uuid, '') <> ${contactUuid}
        and ${sql<SqlBool>`(${sql.join(mayName, sql` or `)})`}
      order by change_values.number limit ${sql.lit(CHANGES_AT_ONCE)}`),
  );
  const namesOne = lineTest(identities, scope.workspace.identity_field);
  const numbers: number[] = [];
  for await (const row of rows) if (namesOne(row)) numbers.push(row.number);
  return numbers;
}

/** Gaps in a phone number, as JSON writes them, and the zero of "(0)". */
const LEFT_OUT = [' ', String.raw`\t`, String.raw`\r`, String.raw`\n`, '-', '.', '/', '(', ')', '+', '0'];

/**
 * Conditions of which each text of JSON meets one that names one of `identities`. Databases can compare spellings in ASCII only, and know
 * no escapes, so every text beyond that or with a mark of an escape meets one.
 */
function conditions(text: RawBuilder<string>, identities: readonly Identity[]): RawBuilder<unknown>[] {
  const digits = LEFT_OUT.reduce((rest, part) => sql`replace(${rest}, ${sql.lit(part)}, '')`, text);
  const contained = identities.flatMap((identity) => {
    const phone = tellingDigits(identity);
    if (phone !== null) return [containsWord(digits, phone.replaceAll('0', ''))];
    const needle = JSON.stringify(foldSpelling(identity.key)).slice(1, -1).toLowerCase();
    return IN_ASCII.test(needle) ? [containsWord(sql`lower(${text})`, needle)] : [];
  });
  const escaped = ESCAPE_MARKS.map((mark) => containsWord(sql`lower(${text})`, mark));
  return [sql`octet_length(${text}) <> length(${text})`, ...contained, ...escaped];
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const IN_ASCII = /^[\0-\x7f]*$/;
