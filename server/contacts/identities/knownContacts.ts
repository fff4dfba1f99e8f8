import { lookUpRows } from '../../database/lookUp.ts';
import type { Scope } from '../../database/scope.ts';
import type { ImportedContact, KnownContact } from '../addContacts.ts';
import { STORED_COLUMNS, type StoredContact } from '../contactRow.ts';

/**
 * The stored contacts that imported ones name, read together. Writes in between may change which one is meant: then it's looked up
 * alone.
 */
export class KnownContacts {
  readonly #scope: Scope;
  #known: ReadonlyMap<ImportedContact, KnownContact>;
  #rows: ReadonlyMap<number, StoredContact> = new Map();
  /** UUIDs of contacts that were written, and names of the imported ones that were written to them. */
  readonly #written = new Set<string>();

  constructor(scope: Scope, known: ReadonlyMap<ImportedContact, KnownContact>) {
    this.#scope = scope;
    this.#known = known;
  }

  /** Reads those that `contacts` name, and forgets those of the call before. Gives them. */
  async read(contacts: readonly ImportedContact[]): Promise<Iterable<StoredContact>> {
    const ids = contacts.flatMap((contact) => this.#known.get(contact)?.id ?? []);
    const place = { table: 'contacts', fixed: {}, key: 'id' } as const;
    this.#rows = await lookUpRows<number, StoredContact>(this.#scope, place, STORED_COLUMNS, ids);
    return this.#rows.values();
  }

  /** The row of the contact that `contact` names; undefined where it has to be looked up. */
  rowOf(contact: ImportedContact): StoredContact | undefined {
    const known = this.#known.get(contact);
    if (known === undefined || known.id === null) return undefined;
    const row = this.#rows.get(known.id);
    if (row === undefined || [row.uuid, ...known.names].some((name) => this.#written.has(name))) return undefined;
    return row;
  }

  /** `contact` was written to the contacts with `uuids`. */
  noteWrite(contact: ImportedContact, uuids: readonly string[]): void {
    const known = this.#known.get(contact);
    // It could not have been added, but was merged into one that was as large before.
    if (known === undefined) this.#known = new Map();
    for (const name of [...uuids, ...(known?.names ?? [])]) this.#written.add(name);
  }
}
