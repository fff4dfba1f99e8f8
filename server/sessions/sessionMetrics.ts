import { Counter } from 'prom-client';
import type { Metrics } from '../metrics/metrics.ts';
import type { Principal, Authenticator } from '../http/auth.ts';

/** `authenticator`, with a counter of the sessions that it opens. */
export function withSessionCounter<Session extends Principal>(
  metrics: Metrics,
  authenticator: Authenticator<Session>,
): Authenticator<Session> {
  const opened = new Counter({
    name: 'sendroom_sessions_opened_total',
    help: 'Sessions of the console that this process opened.',
    registers: [metrics],
  });
  return {
    ...authenticator,
    signIn: async (attempt) => {
      const session = await authenticator.signIn(attempt);
      opened.inc();
      return session;
    },
  };
}
