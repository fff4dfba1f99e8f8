export type StoredValue = string | number | null;

/** A row of any table, as both engines give and take it. */
export type StoredRow = Readonly<Record<string, StoredValue>>;
