import type { Upstream } from './upstream.ts';
import { addCounter, addGauge, type Metrics } from '../metrics/metrics.ts';

type GatewayMetricsSources = { upstream: Upstream; sessions: { readonly size: number } };

export function registerGatewayMetrics(metrics: Metrics, { upstream, sessions }: GatewayMetricsSources): void {
  addGauge(metrics, { name: 'sendroom_ready', help: 'Whether /readyz is 200: a gateway always is.' }, () => 1);
  const help = 'Requests to the service behind the gateway that got no answer to pass on, by fault.';
  addCounter(metrics, { name: 'sendroom_upstream_failures_total', help, labels: ['fault'] }, () =>
    [...upstream.errorCounts].map(([fault, count]) => [{ fault }, count] as const),
  );
  addGauge(metrics, { name: 'sendroom_sessions', help: 'Sessions of the console that this gateway keeps.' }, () => {
    return sessions.size;
  });
}
