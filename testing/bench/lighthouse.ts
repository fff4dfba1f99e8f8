import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { StorageState } from '../../e2e/support/firstLoad.ts';
import { installOnce } from '../programs/installOnce.ts';

const FOLDER = join(import.meta.dirname, 'lighthouse');
const FLAGS = '--headless=new --no-sandbox --disable-gpu --disable-background-networking';

/** Milliseconds: first and largest contentful paint, and total blocking time. */
export type LighthouseResult = { fcp: number; lcp: number; tbt: number };

type LighthouseReport = { audits: Record<string, { numericValue?: number }> };

/** On a busy machine it often says that it could not record the trace, and to run it again. */
const ATTEMPTS = 5;

/**
 * Lighthouse's measurements of `url` with its mobile settings, in a fresh `browser` (its path) for each run. The
 * session is sent as a header, because Lighthouse deletes every cookie before it loads a page.
 */
export async function runLighthouse(browser: string, url: string, session: StorageState): Promise<LighthouseResult> {
  installOnce(FOLDER);
  const cookie = session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  // The browser leaves a folder behind.
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-lighthouse-'));
  const parameters = [
    join(FOLDER, 'node_modules/lighthouse/cli/index.js'),
    url,
    '--quiet',
    '--output=json',
    '--only-categories=performance',
    `--chrome-flags=${FLAGS}`,
    `--extra-headers=${JSON.stringify({ cookie })}`,
  ];
  const env = { ...process.env, CHROME_PATH: browser, TMPDIR: folder };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        const { stdout } = await promisify(execFile)(process.execPath, parameters, options);
        return readReport(stdout);
      } catch (error) {
        const { stderr } = error as { stderr?: string };
        if (attempt === ATTEMPTS)
          throw new Error(`Lighthouse could not measure ${url}: ${stderr ?? ''}`, { cause: error });
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function readReport(stdout: string): LighthouseResult {
  const { audits } = JSON.parse(stdout) as LighthouseReport;
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
  };
}
