import type { CheckCounts } from './liveChecks.ts';
import { addCounter, addGauge, type Metrics } from '../metrics/metrics.ts';

/** Registers metrics of the queue of live checks of this process, and of their outcomes. */
export function registerCheckMetrics(metrics: Metrics, checks: { readonly counts: CheckCounts }): void {
  addGauge(metrics, { name: 'sendroom_dns_checks_in_flight', help: 'Domains that are checked now.' }, () => {
    return checks.counts.inFlight;
  });
  addGauge(metrics, { name: 'sendroom_dns_checks_waiting', help: 'Domains that wait to be checked.' }, () => {
    return checks.counts.waiting;
  });
  const max = { name: 'sendroom_dns_checks_waiting_max', help: 'Domains that may wait; beyond it a check is refused.' };
  addGauge(metrics, max, () => checks.counts.waitingMax);
  const help = 'Checks by their end; "unreachable" where no resolver answered, "abandoned" where all who asked left.';
  addCounter(metrics, { name: 'sendroom_dns_checks_total', help, labels: ['outcome'] }, () =>
    Object.entries(checks.counts.ended).map(([outcome, count]) => [{ outcome }, count] as const),
  );
}
