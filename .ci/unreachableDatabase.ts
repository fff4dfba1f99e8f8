/**
 * Why tests on PostgreSQL cannot run in a network namespace, as a sentence; null when they can. They can if they start
 * a server of their own, or if `TEST_DATABASE_URL` names one by its socket.
 */
export function whyDatabaseUnreachable(): string | null {
  const given = process.env.TEST_DATABASE_URL;
  if (!given) return null;
  const { hostname, searchParams } = new URL(given);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host.startsWith('/')) return null;
  return 'TEST_DATABASE_URL names a server that the network namespace of the lab does not reach: tests on it that need the lab are not run. Name its socket (?host=/folder) to run them.';
}
