/** Waits for statements that were sent together, and then throws the first error: none may run after a rollback. */
export async function together(statements: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(statements);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
