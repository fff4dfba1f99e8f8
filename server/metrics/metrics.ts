import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** The metrics of a process for Prometheus, by name. Labels never contain values that a client chose. */
export type Metrics = Registry;

type Labels = Readonly<Record<string, string>>;
/** A value, or one for each set of labels; null for an unknown value. */
type MetricValues = number | null | readonly (readonly [labels: Labels, value: number])[];
type MetricDefinition = { name: string; help: string; labels?: readonly string[] };

/** Gauges with names of counters, which `promtool check metrics` rejects. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Creates the metrics, with those of every process: memory, processor time, event loop. */
export function createMetrics(version: string): Metrics {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  for (const name of MISNAMED) metrics.removeSingleMetric(name);
  addGauge(metrics, { name: 'sendroom_build_info', help: 'Version of this process.', labels: ['version'] }, () => [
    [{ version }, 1],
  ]);
  return metrics;
}

/** Adds a gauge that is read at each scrape. Unknown values are left out. */
export function addGauge(
  metrics: Metrics,
  definition: MetricDefinition,
  read: () => MetricValues | Promise<MetricValues>,
): void {
  const gauge = new Gauge({
    ...settings(definition),
    async collect() {
      set(this, definition, await read());
    },
  });
  metrics.registerMetric(gauge);
}

/** Adds a counter whose value is counted elsewhere since the start of the process, and read at each scrape. */
export function addCounter(
  metrics: Metrics,
  definition: MetricDefinition,
  read: () => Exclude<MetricValues, null>,
): void {
  const counter = new Counter({
    ...settings(definition),
    collect() {
      this.reset();
      const values = read();
      if (typeof values === 'number') this.inc(values);
      else for (const [labels, value] of values) this.inc(labels, value);
    },
  });
  metrics.registerMetric(counter);
}

function set(gauge: Gauge, { labels }: MetricDefinition, values: MetricValues): void {
  // Without labels it becomes 0.
  gauge.reset();
  if (values === null && labels === undefined) gauge.remove();
  if (typeof values === 'number') gauge.set(values);
  else for (const [own, value] of values ?? []) gauge.set(own, value);
}

function settings({ name, help, labels = [] }: MetricDefinition) {
  return { name, help, labelNames: labels, registers: [] };
}
