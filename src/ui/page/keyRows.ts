/**
 * Each row with a unique key for React: its id, and its place too where another service uses an id twice. With
 * duplicate keys React would leave rows behind.
 */
export function keyRows<Row extends { uuid: string }>(rows: readonly Row[]): { key: string; row: Row }[] {
  const taken = new Set<string>();
  return rows.map((row, index) => {
    const key = taken.has(row.uuid) ? `${row.uuid} ${index}` : row.uuid;
    taken.add(row.uuid);
    return { key, row };
  });
}
