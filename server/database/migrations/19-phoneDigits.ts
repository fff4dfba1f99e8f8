import { type RawBuilder, sql } from 'kysely';
import { type Migration, rejectOtherProcesses } from './migration.ts';

/** What stands between the digits of a phone number. */
const BETWEEN_DIGITS = ['(0)', ' ', '\t', '\u00a0', '(', ')', '.', '/', '-'];
const DIGITS = '0123456789'.split('');

/** Lets a phone number be found by its digits, however they are grouped where it is stored. */
export const phoneDigits: Migration = async (trx, dialect) => {
  await rejectOtherProcesses(trx, dialect, 'would not write the digits of phone numbers');
  await trx.schema.alterTable('identities').addColumn('digits', 'text').execute();
  const compact = without(sql.ref('key'), BETWEEN_DIGITS);
  const digits = sql`case when ${compact} like '00%' then '+' || substr(${compact}, 3) else ${compact} end`;
  await sql`
    update identities set digits = ${digits}
    where kind = 'phone' and key <> ${digits} and ${digits} like '+%' and length(${digits}) between 7 and 16
      and ${without(sql`substr(${digits}, 2)`, DIGITS)} = ''`.execute(trx);
  await trx.schema
    .createIndex('identities_by_digits')
    .on('identities')
    .columns(['workspace_id', 'digits'])
    .where(sql.ref('digits'), 'is not', null)
    .execute();
};

const without = (text: RawBuilder<unknown>, parts: readonly string[]) =>
  parts.reduce((rest, part) => sql`replace(${rest}, ${sql.lit(part)}, '')`, text);
