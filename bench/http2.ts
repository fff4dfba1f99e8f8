import type { Browser } from '@playwright/test';
import { obtainBrowser } from '../.ci/programs/browser.ts';
import type { StorageState } from '../e2e/firstLoad.ts';
import { median } from './generateLoad.ts';
import { runLighthouse, type LighthouseResult } from './lighthouse.ts';
import { startNginx } from './nginx.ts';
import type { BenchmarkRow } from './table.ts';

const ROUNDS = 3;
const KEYS = ['fcp', 'lcp', 'tbt'] as const;

/** The first page of the list of domains behind nginx, with HTTP/1.1 and HTTP/2, taking turns. As the service itself sends it: `measurePeers`. */
export async function measureHttp2(_: Browser, service: string, session: StorageState): Promise<BenchmarkRow[]> {
  const nginx = await startNginx(service);
  try {
    const path = obtainBrowser(console.log, 'full');
    const ways = [
      ['nginx, HTTP/1.1', nginx.http1],
      ['nginx, HTTP/2', nginx.http2],
    ] as const;
    const found = ways.map((): LighthouseResult[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, [, url]] of ways.entries()) {
        found[index]?.push(await runLighthouse(path, `${url}/domains`, session));
      }
    }
    return ways.map(([what], index) => {
      const results = found[index] ?? [];
      return [`first page, ${what}, ms`, KEYS.map((key) => `${key} ${formatMedian(results, key)}`).join('  ')];
    });
  } finally {
    await nginx.stop();
  }
}

const formatMedian = (results: readonly LighthouseResult[], key: keyof LighthouseResult) =>
  median(results.map((result) => result[key])).toFixed(0);
