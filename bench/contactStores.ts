import { putContacts } from '../server/contacts/store.ts';
import type { Database } from '../server/database/database.ts';
import type { Scope } from '../server/database/scope.ts';
import type { Workspace } from '../server/database/workspace.ts';
import { seededRandom } from '../server/demo/seededRandom.ts';
import { putAddresses } from '../server/domains/putAddresses.ts';
import { putDomains } from '../server/domains/putDomains.ts';
import { openStores, START, type Stores } from './eventStores.ts';

// Contacts as they are listed and searched, a hundredth as many domains, and a tenth as many addresses, all of one domain.

const LARGEST = process.env['BENCH_CONTACTS'];
/**
 * Numbers of contacts. A million only in kept stores, because creating them takes minutes; more where BENCH_CONTACTS says how many.
 */
export const CONTACTS =
  'BENCH_STORES' in process.env
    ? [100_000, 1_000_000, ...(LARGEST === undefined ? [] : [Number(LARGEST)])]
    : [10_000, 100_000];
const BATCH = 10_000;
/** The domain that all addresses are of. */
export const BUSIEST_DOMAIN = '00000000-0000-4000-8000-000000000000';
const SYLLABLES = ['ka', 'mi', 'ro', 'ta', 'le', 'son', 'ber', 'va', 'ni', 'do', 'ri', 'an', 'el', 'mar', 'tin', 'os'];
const JOBS = ['Engineer', 'Director', 'Clerk', 'Head of sales'];

async function fill(db: Database, workspace: Workspace, count: number): Promise<void> {
  const random = seededRandom(1);
  const word = (length: number) =>
    Array.from({ length }, () => SYLLABLES[random.below(SYLLABLES.length)] ?? '').join('');
  const contact = (index: number) => ({
    subscribed: random.chance(0.9),
    created_at: START + random.below(count) * 1000,
    attributes: {
      email: `${word(2)}.${word(3)}${index}@${word(2)}.example`,
      phone: `+49 ${index}`,
      first_name: word(2),
      last_name: index % (count / 20) === 0 ? 'Rarity' : word(3),
      company: `${word(2)} Ltd`,
      job_title: JOBS[random.below(JOBS.length)],
    },
  });
  const batches = async <Given>(
    size: number,
    make: (index: number) => Given,
    put: (scope: Scope, rows: Given[], now: number) => Promise<unknown>,
  ) => {
    for (let first = 0; first < size; first += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, size - first) }, (_, index) => make(first + index));
      await db.write(workspace, (scope) => put(scope, rows, START + first));
    }
  };
  await batches(count, contact, putContacts);
  await batches(
    count / 100,
    (index) => ({
      ...(index === 0 && { uuid: BUSIEST_DOMAIN }),
      name: `${word(3)}${index}.example`,
      created_at: START + random.below(count) * 1000,
    }),
    putDomains,
  );
  await batches(count / 10, (index) => ({ domain_uuid: BUSIEST_DOMAIN, address: `${word(2)}${index}` }), putAddresses);
}

export function openContactStores(folder: string): Promise<Stores> {
  return openStores(folder, 'contacts', CONTACTS, fill);
}
