import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts';
import { answerChecks, check, createLines, openDomain, records, RIGHT, shownOf } from './dnsChecks.ts';
import { expect, test } from './fixtures.ts';
import { pasted, signIn } from './steps.ts';

// A deliverability person repairs a domain: what is wrong comes first, with what to type where.

test.use({ database: 'own' });

const NAME = 'notify.initech.example';

test('"what do I type at Cloudflare?" is answered beside the record that is wrong @additions', async ({
  page,
  demo,
}) => {
  await signIn(page, demo);
  const domain = await openDomain(page, demo, NAME);
  const wrong = domain.dns.findIndex(({ type }) => type === 'CNAME');
  const zone = 'initech.example';
  const { name, value } = domain.dns[wrong]!;
  const host = name.slice(0, -zone.length - 1);
  const at = new Date().toISOString();
  const evidence = [{ server: 'kim.ns.cloudflare.com', address: '192.0.2.1', at, answer: 'NXDOMAIN', records: [] }];
  const fix = { todo: 'Add the record.', type: 'CNAME', host, name, value, priority: null };
  await answerChecks(page, () =>
    createLines(domain, { zone, evidence }).map((line) =>
      line.kind === 'record' && line.index === wrong
        ? {
            ...line,
            finding: {
              ...RIGHT,
              result: 'fail' as const,
              code: 'NAME_MISSING',
              turn: 'owner' as const,
              zone,
              fix,
              evidence,
            },
          }
        : line,
    ),
  );
  await check(page);

  // What is wrong is first, with its fix; what is right is a line that opens.
  await expect(records(page).getByRole('rowgroup').nth(1)).toHaveAccessibleName(`Record ${wrong + 1}`);
  const task = shownOf(page, wrong);
  await expect(task.getByRole('list', { name: 'Steps at Cloudflare' }).getByRole('listitem')).toHaveText([
    `Open the DNS records of ${zone} at Cloudflare, and add or change the CNAME record below.`,
    'Copy “Host” into the field “Name”.',
    'Switch the proxy off, so that “Proxy status” says “DNS only”.',
  ]);
  await task.getByRole('button', { name: 'Copy host to enter' }).click();
  expect(await pasted(page)).toBe(host);
  const other = shownOf(page, wrong === 0 ? 1 : 0);
  await expect(other.getByRole('row')).toHaveCount(1);
  await other.getByRole('button', { name: /^Details of record/ }).focus();
  await page.keyboard.press('Enter');
  await expect(other).toContainText('Published correctly.');
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 720 });
  await expectNoSidewaysScroll(page);
});
