import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, watchBrowserErrors } from '../support/fixtures.ts';

// Every browser test fails at a request to another origin (fixtures.ts). This one tests that check.

test('a request to another origin is detected, and our pages cannot make one', async ({ browser, baseURL }) => {
  const requests: string[] = [];
  const elsewhere = createServer((request, response) => {
    requests.push(request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' })
      .end('<link rel="icon" href="data:,">');
  });
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const context = await browser.newContext();
  try {
    const seen = await watchBrowserErrors(context, new URL(baseURL ?? '').origin);
    const page = await context.newPage();
    await page.goto(`${origin}/first`);
    expect(seen).toContain(`foreign origin: ${origin}`);

    await page.goto(baseURL ?? '');
    seen.length = 0;
    await page.evaluate(async (origin) => {
      await fetch(`${origin}/fetch`).catch(() => {});
      navigator.sendBeacon(`${origin}/beacon`);
      for (const [name, attribute] of [
        ['img', 'src'],
        ['script', 'src'],
        ['iframe', 'src'],
        ['link', 'href'],
      ] as const) {
        const element = Object.assign(document.createElement(name), { rel: 'stylesheet' });
        const done = new Promise((resolve) =>
          ['load', 'error'].forEach((event) => element.addEventListener(event, resolve)),
        );
        // Trusted Types reject a script's address by themselves.
        try {
          element.setAttribute(attribute, `${origin}/${name}`);
          document.head.append(element);
          await done;
        } catch {}
      }
    }, origin);
    expect(requests).toEqual(['/first']);
    expect(seen.filter((fault) => fault.includes('content security policy')).length).toBeGreaterThan(3);
  } finally {
    await context.close();
    elsewhere.close();
  }
});
