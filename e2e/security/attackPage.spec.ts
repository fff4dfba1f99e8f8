import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect } from '../support/fixtures.ts';
import { test as base } from '../support/hostileProxy.ts';
import { readAsCaller, signIn } from '../support/steps.ts';

// A signed-in user opens an attacker's page, which sends what a page can send. Nothing may change or be readable. One page is on another
// site; the other is on the same site, where the browser sends the cookie.

const test = base.extend<{ attackPort: number }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameters from this very pattern
  attackPort: async ({}, provide) => {
    const page = '<!doctype html><title>Attack</title><body></body>';
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await provide((server.address() as AddressInfo).port);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

type Target = { url: string; workspace: string; contact: string; token: string };

/** Runs in the page. Returns everything that it could read of responses, by attempt. */
async function attack({ url, workspace, contact, token }: Target): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  const unsubscribe = `${url}/v1/workspaces/${workspace}/contacts/${contact}/unsubscribe`;
  const update = `${url}/v1/contacts/${contact}`;
  const session = `${url}/session`;
  const change = JSON.stringify({ attributes: { first_name: 'Mallory', email: 'mallory@attacker.test' } });
  const credentials = JSON.stringify({ token });
  const note = (name: string, what: unknown) => void (read[name] = String(what));
  const attempt = async (name: string, work: () => unknown) => {
    try {
      note(name, await work());
    } catch (error) {
      note(name, (error as Error).name);
    }
  };
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- nothing from outside is there in the page
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  const calls: [method: string, address: string, body: string | null][] = [
    ['POST', unsubscribe, null],
    ['POST', update, change],
    ['POST', session, credentials],
    ['DELETE', session, null],
    ['GET', session, null],
    ['GET', update, null],
    ['GET', `${update}/events`, null],
    ['GET', `${url}/v1/contacts?per_page=100`, null],
    ['GET', `${url}/contacts/${contact}`, null],
  ];
  const headers: Record<string, string>[] = [
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'sendroom-console': '1' },
    { 'sendroom-console': '1', 'content-type': 'application/json' },
  ];
  const tries: Promise<void>[] = [];
  for (const [method, address, body] of calls) {
    for (const mode of ['no-cors', 'cors', 'same-origin'] as const) {
      for (const [index, given] of headers.entries()) {
        const init: RequestInit = { method, mode, credentials: 'include', headers: given, body };
        const call = attempt(`fetch ${mode} ${method} ${address} ${index}`, async () => {
          const response = await fetch(address, init);
          return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
        });
        tries.push(call);
      }
    }
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
      await attempt(`beacon ${type} ${address}`, () => navigator.sendBeacon(address, new Blob([body ?? ''], { type })));
    }
  }

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- as above
  const form = (method: string, address: string, body: string | null, enctype: string, target: string) => {
    const element = document.body.appendChild(document.createElement('form'));
    Object.assign(element, { method, action: address, enctype, target });
    // As text/plain, name and value with the "=" between them are one JSON value.
    const [name = '', value = ''] = body === null ? [] : [`${body.slice(0, -1)},"`, '":0}'];
    if (body !== null) Object.assign(element.appendChild(document.createElement('input')), { name, value });
    element.submit();
  };
  for (const [method, address, body] of calls) {
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.name = `frame${document.querySelectorAll('iframe').length}`;
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      form(method === 'GET' ? 'get' : 'post', address, body, enctype, frame.name);
      const sent = attempt(`form ${method} ${enctype} ${address}`, async () => {
        await Promise.race([loaded, pause(3000)]);
        return frame.contentDocument?.body.textContent;
      });
      tries.push(sent);
    }
  }

  await Promise.all(tries);
  // Last, because it leaves the page.
  setTimeout(() => form('post', unsubscribe, null, 'text/plain', '_top'), 100);
  return read;
}

const everything = async (page: Page, contact: string) =>
  JSON.stringify([
    await (await page.request.get('/session', { headers: { 'sendroom-console': '1' } })).json(),
    await (await page.request.get(`/v1/contacts/${contact}/changes`, { headers: { 'sendroom-console': '1' } })).json(),
    await page.context().cookies(),
  ]);

for (const [host, refusals] of [
  // The cookie is sent, and does not count.
  ['127.0.0.1', [403]],
  // The cookie is not sent; after many attempts the address is rate-limited.
  ['localhost', [401, 429]],
] as const) {
  test(`a page of another origin at ${host} changes and reads nothing @additions @sweep`, async ({
    browser,
    baseURL,
    hostile,
    attackPort,
    demo,
    person,
  }) => {
    test.slow();
    // A context without the check of faults: the browser rightly reports many here.
    await using context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
    const page = await context.newPage();
    await signIn(page, demo);
    const before = [await everything(page, person.uuid), await readAsCaller(page, demo, person.uuid)];
    await page.goto(`http://${host}:${attackPort}/`);
    hostile.calls.length = 0;

    const leaving = page.waitForResponse((response) => response.frame() === page.mainFrame());
    const { token, workspace } = demo;
    const read = await page.evaluate(attack, { url: hostile.url, workspace, contact: person.uuid, token });
    const left = await leaving;
    expect([left.request().method(), left.url().endsWith('/unsubscribe')]).toEqual(['POST', true]);
    expect(refusals).toContain(left.status());

    expect([await everything(page, person.uuid), await readAsCaller(page, demo, person.uuid)]).toEqual(before);
    for (const [name, text] of Object.entries(read)) {
      for (const words of [
        String(person.attributes.email),
        String(person.attributes.last_name),
        'identity_field',
        'nonce',
      ]) {
        expect(text, name).not.toContain(words);
      }
    }
    // All attempts were made, and reached the service.
    expect(Object.keys(read).length).toBeGreaterThan(200);
    for (const call of [
      /^POST .*\/unsubscribe$/,
      /^POST \/v1\/contacts\//,
      /^POST \/session$/,
      /^GET \/session$/,
      /^OPTIONS /,
    ]) {
      expect(hostile.calls.filter((made) => call.test(made)).length, String(call)).toBeGreaterThan(0);
    }
  });
}
