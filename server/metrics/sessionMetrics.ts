import { Counter } from 'prom-client';
import type { Access, Gate } from '../http/gate.ts';
import type { Metrics } from './metrics.ts';

/** The same gate, which counts the sessions that it opens. */
export function countingGate<Session extends Access>(metrics: Metrics, gate: Gate<Session>): Gate<Session> {
  const opened = new Counter({
    name: 'sendroom_sessions_opened_total',
    help: 'Sessions of the console that this process opened.',
    registers: [metrics],
  });
  return {
    ...gate,
    signIn: async (attempt) => {
      const session = await gate.signIn(attempt);
      opened.inc();
      return session;
    },
  };
}
