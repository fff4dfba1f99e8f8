/** Rows with unique keys: another service may use an ID twice, and React would leave rows behind. */
export function keyRows<Row extends { uuid: string }>(rows: readonly Row[]): { key: string; row: Row }[] {
  const taken = new Set<string>();
  return rows.map((row, index) => {
    const key = taken.has(row.uuid) ? `${row.uuid} ${index}` : row.uuid;
    taken.add(row.uuid);
    return { key, row };
  });
}
