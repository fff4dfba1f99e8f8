import { startMain, type TestMain } from './processes/testMain.ts';

export type MeasuredService = TestMain & {
  url: string;
  metricsUrl: string;
  text: () => Promise<string>;
  scrape: () => Promise<Map<string, number>>;
};

export async function startMeasuredService(env: Readonly<Record<string, string>>): Promise<MeasuredService> {
  const main = startMain({ DEMO: 'off', DNS_RECHECK: 'off', RATE_LIMIT: '0', METRICS: '127.0.0.1:0', ...env });
  const url = await main.address;
  const metricsUrl = /^Metrics are at (\S+)$/m.exec(main.stdout())?.[1] ?? '';
  const text = async () => (await fetch(metricsUrl)).text();
  return { ...main, url, metricsUrl, text, scrape: async () => parseSeries(await text()) };
}

export function parseSeries(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.replace(/^.* /, ''))]));
}

export function listMetricNames(text: string): Set<string> {
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
}
