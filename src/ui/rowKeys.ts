/**
 * A key for each row: its id, and its place where another service uses one twice. React would leave rows behind that it
 * cannot tell apart.
 */
export function rowKeys(rows: readonly { uuid: string }[]): string[] {
  const taken = new Set<string>();
  return rows.map(({ uuid }, index) => {
    const key = taken.has(uuid) ? `${uuid} ${index}` : uuid;
    taken.add(uuid);
    return key;
  });
}
