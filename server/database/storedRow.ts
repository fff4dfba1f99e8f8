export type StoredValue = string | number | null;

/** A row of any table, as both engines read and write it. */
export type StoredRow = Readonly<Record<string, StoredValue>>;
