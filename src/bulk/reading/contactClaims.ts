import type { DeskEntry } from '../entry.ts';

/** What a claim changes: the line that names the same contact first, and an entry that named it until now. */
type Claim = { repeats: number | null; displaced: DeskEntry | null };

/**
 * Which entry of a list names a contact first: an email and a phone number may name the same one, and only the service
 * tells. Entries that are not ticked claim nobody.
 */
export class ContactClaims {
  /** UUID of a contact to the index of its entry. */
  readonly #holders = new Map<string, number>();

  constructor(entries: Iterable<DeskEntry>) {
    for (const { index, isTicked, repeats, found, outcome } of entries) {
      const uuid = outcome?.uuid ?? found?.uuid;
      if (isTicked && repeats === null && uuid && !this.#holders.has(uuid)) this.#holders.set(uuid, index);
    }
  }

  /** Notes that `entry` names the contact `uuid`. `latest` is how the entry of an index stands now. */
  claim({ index, line }: DeskEntry, uuid: string | null, latest: (index: number) => DeskEntry | undefined): Claim {
    if (uuid === null) return { repeats: null, displaced: null };
    const holder = latest(this.#holders.get(uuid) ?? index);
    if (holder !== undefined && holder.index !== index && (holder.index < index || holder.outcome !== null)) {
      return { repeats: holder.line, displaced: null };
    }
    this.#holders.set(uuid, index);
    // Answers come in any order: a later line may have claimed the contact first.
    const isLater = holder !== undefined && holder.index > index;
    return { repeats: null, displaced: isLater ? { ...holder, repeats: line } : null };
  }
}
