import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Lets the search index of a file be merged by small steps only (docs/decisions/0028-search-index.md). */
export const searchMerges: Migration = async (trx, { hasRowSecurity: isServer }) => {
  if (isServer) return;
  const configure = (name: string, value: number) =>
    sql`insert into contact_search (contact_search, rank) values (${name}, cast(${value} as integer))`.execute(trx);
  // Nothing is merged unasked, which might be all that is there.
  await configure('automerge', 0);
  // With a step in each write there are never so many. With 2,000 a write would fail.
  await configure('crisismerge', 1_000);
  // With 16 segments a search reads more of them, and with 4 each text is written again more often.
  await configure('usermerge', 8);
};
