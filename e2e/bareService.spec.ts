import type { Page } from '@playwright/test';
import { test as staticTest } from './staticConsole.ts';
import { expect } from './fixtures.ts';
import { enterToken } from './steps.ts';

// A service may have only the five operations, and any response at other addresses.

const JSON_TYPE = 'application/json';

const answers: [
  name: string,
  answer: { status: number; contentType?: string; body?: string; headers?: Record<string, string> },
][] = [
  ['401', { status: 401, contentType: JSON_TYPE, body: '{"error":"unknown route"}' }],
  ['403', { status: 403, contentType: JSON_TYPE, body: '{"message":"Missing Authentication Token"}' }],
  ['404', { status: 404, contentType: 'text/html', body: '<h1>Not Found</h1>' }],
  ['429', { status: 429, headers: { 'retry-after': '60' } }],
  ['500', { status: 500, contentType: 'text/html', body: '<h1>Oops</h1>' }],
  ['501', { status: 501 }],
  ['a web page', { status: 200, contentType: 'text/html', body: '<!doctype html><title>Welcome</title>' }],
  ['nothing', { status: 204 }],
  ['a redirect', { status: 302, headers: { location: 'https://attacker.test/' } }],
  ['no JSON', { status: 200, contentType: JSON_TYPE, body: '{"data":' }],
  ['another shape', { status: 200, contentType: JSON_TYPE, body: '{"data":{"id":7,"name":"Acme"}}' }],
  ['no workspace', { status: 200, contentType: JSON_TYPE, body: '{"data":null}' }],
  ['a list', { status: 200, contentType: JSON_TYPE, body: '[]' }],
  ['6 MB', { status: 200, contentType: JSON_TYPE, body: ' '.repeat(6_000_000) }],
];

const ANSWERED = [
  /status of \d+.*\/v1\/workspace/,
  /status of 401.*\/v1\/domains/,
  /blocked by CORS policy|ERR_FAILED/,
];

async function signedIn(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible();
  await page.getByRole('link', { name: 'Domains' }).click();
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible();
}

for (const [name, { headers, ...answer }] of answers) {
  staticTest(`the static console signs in where /v1/workspace is ${name} @bare`, async ({ page, demo, faults }) => {
    faults.expect(...ANSWERED);
    await page.route('**/v1/workspace', (route) =>
      route.fulfill({ ...answer, headers: { 'access-control-allow-origin': '*', ...headers } }),
    );
    await page.goto('');
    await enterToken(page, 'sr_wrong');
    await expect(page.getByRole('alert')).toContainText('The token may be mistyped or revoked');
    await enterToken(page, demo.token, demo.workspace);
    await signedIn(page);
  });
}
