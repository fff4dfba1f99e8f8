import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { runAdmin } from '../support/admin.ts';
import { expect, test } from '../support/fixtures.ts';
import { createDestinationAsCaller, signIn } from '../support/steps.ts';

// Words without a blank, and names that run from right to left, mixed with digits and Latin letters.

test.use({ database: 'own' });

const GERMAN = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const ARABIC = 'عبد الرحمن بن محمد بن عبد العزيز آل الشيخ المستشار القانوني 2026 (Passau) للشركة العربية';
const DOMAIN = 'donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbau.unterbeamtengesellschaft-oesterreich.example';

test('long German and Arabic texts fit on every page, at 320 and 768 pixels @additions @sweep', async ({
  page,
  demo,
  sendroom,
}, info) => {
  test.setTimeout(180_000);
  const file = info.outputPath('domains.ndjson');
  const dns = [{ type: 'CNAME', name: `selector._domainkey.${DOMAIN}`, value: `dkim.${DOMAIN}`, is_valid: false }];
  await writeFile(file, `${JSON.stringify({ name: DOMAIN, mail_from_domain: `bounce.${DOMAIN}`, dns })}\n`);
  await runAdmin(sendroom.databaseUrl, 'import', 'domains', file, '--workspace', demo.workspace);
  const headers = { authorization: `Bearer ${demo.token}` };
  const post = async (path: string, data: object = {}, run = '') => {
    const response = await page.request.post(path, {
      headers: { ...headers, ...(run !== '' && { 'sendroom-run': run }) },
      data,
    });
    expect(response.ok(), await response.text()).toBe(true);
    return ((await response.json()) as { data: { uuid: string } }).data;
  };
  const run = randomUUID();
  const ticket = `${GERMAN.slice(0, 60)}-${ARABIC}`.slice(0, 100);
  const uuids: string[] = [];
  for (const [name, address] of [
    [GERMAN, `${'hauptgeschaeftsfuehrung'.repeat(2)}@${DOMAIN}`],
    [ARABIC, 'arabic@example.com'],
  ] as const) {
    const attributes = { email: address, first_name: name, last_name: name, company: name, [name]: name.repeat(3) };
    const { uuid } = await post('/v1/contacts', { attributes });
    uuids.push(uuid);
    await post(`/v1/contacts/${uuid}/events`, { event_name: name, attributes: { campaign: name } });
    await post('/v1/tokens', { name, role: 'editor' });
    await post('/v1/views', { name: name.slice(0, 80), query: `search=${encodeURIComponent(name)}`, shared: true });
  }
  await post('/v1/runs', { uuid: run, entries: uuids.length, reason: 'request', ticket });
  await post(`/v1/runs/${run}/entries`, { from: 0, entries: uuids.map((uuid) => [uuid]) });
  for (const uuid of uuids) {
    await post(`/v1/workspaces/${demo.workspace}/contacts/${uuid}/unsubscribe`, { reason: 'request', ticket }, run);
  }
  await post('/v1/members', { email: `${'annegret'.repeat(6)}@${DOMAIN}`, role: 'read' });
  const destination = await createDestinationAsCaller(page, demo, ARABIC, `http://127.0.0.1:9/${GERMAN}`);

  await signIn(page, demo);
  for (const path of [
    '/',
    '/contacts',
    ...uuids.flatMap((uuid) => [`/contacts/${uuid}`, `/contacts/${uuid}?view=table`, `/contacts/${uuid}?view=changes`]),
    '/suppressions',
    '/runs',
    `/desk?run=${run}`,
    '/domains',
    '/domains?view=wall',
    `/domains/${DOMAIN}?addresses=open`,
    '/addresses',
    '/activity',
    '/people',
    '/tokens',
    '/sessions',
    '/notifications',
    `/notifications/${destination}`,
  ]) {
    await test.step(path, async () => {
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(path);
      await expect(page.locator('h1')).toBeVisible();
      await expect(page.locator('[aria-busy=true], [data-loading], [aria-label^=Loading]')).toHaveCount(0);
      for (const width of [320, 768]) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoSidewaysScroll(page);
      }
    });
  }
});
