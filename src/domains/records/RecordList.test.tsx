import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import type { Finding, Fix } from '#contract/domains/dnsCheck.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { sessionQuery } from '../../session/session.ts';
import { createLiveCheck, domainWith, createFinding } from '../../testing/testCheck.ts';
import { openPage } from '../../testing/testPage.tsx';
import { listItems } from './items.ts';
import { RecordList } from './RecordList.tsx';
import { useLatestCheck } from '../check/latestCheck.ts';
import { liveCheckQuery, type LiveCheck } from '../check/liveCheck.ts';
import { sessionWith } from '../../testing/testSession.ts';

const CNAME = { type: 'CNAME', name: 'k1._domainkey.mail.x.test', value: 'k1.y.test', is_valid: false };
const SPF = { type: 'TXT', name: 'mail.x.test', value: 'v=spf1 include:y.test ~all', is_valid: false };
const FIX: Fix = {
  todo: 'Add the record.',
  type: 'CNAME',
  host: 'k1._domainkey.mail',
  name: CNAME.name,
  value: CNAME.value,
  priority: null,
};
const DOMAIN = domainWith(CNAME, SPF);
const SESSION = sessionWith({ capabilities: [checkDomain.id] });

function Shown({ domain }: { domain: ReadableDomain }) {
  const latest = useLatestCheck(domain);
  const items = listItems(domain, latest.check, latest.report, latest.isFetching);
  return <RecordList domain={domain} items={items} latest={latest} />;
}

/** The records for a signed-in user, after `check` if there was one. */
function openRecords(check?: LiveCheck, domain = DOMAIN) {
  const page = openPage(null);
  page.client.setQueryData(sessionQuery.queryKey, SESSION);
  if (check !== undefined) page.client.setQueryData(liveCheckQuery(domain.uuid).queryKey, check);
  page.show(<Shown domain={domain} />);
  return page;
}

/** What is shown at this place of the list. */
const shownOf = (place: number) => within(screen.getAllByRole('group').at(place)!);
const copyOf = (what: string) => screen.queryAllByRole('button', { name: new RegExp(`^Copy ${what}, `) });

test('before a check only full names are offered: nobody knows where a zone begins', () => {
  openRecords();
  expect(copyOf('host, full')).toHaveLength(2);
  expect(copyOf('host, relative')).toHaveLength(0);
  expect(copyOf('host, full')[0]?.parentElement?.textContent).toContain(CNAME.name);
});

test('after a check hosts are relative to the zone that it found, and each value is there once', () => {
  const check = createLiveCheck(DOMAIN, { zone: 'x.test', fix: FIX }, { result: 'ok', zone: 'x.test' });
  openRecords(check);
  const hosts = ['host to enter', 'host, relative'].map((what) => copyOf(what)[0]?.parentElement?.textContent);
  expect(hosts).toEqual(['Hostk1._domainkey.mail', 'mail']);
  expect(copyOf('host, full')).toHaveLength(0);
  for (const value of [CNAME.value, SPF.value])
    expect(screen.getAllByText(textOf(value), { exact: true })).toHaveLength(1);
});

test('what all records have in common is said once, and each is a line with what is listed', async () => {
  const lost = { result: 'fail' as const, code: 'DOMAIN_NOT_DELEGATED', diagnosis: 'mail.x.test is not registered.' };
  const { user } = openRecords(createLiveCheck(DOMAIN, { ...lost, turn: 'registrar' }, { ...lost, turn: 'registrar' }));
  expect(screen.getAllByText(lost.diagnosis)).toHaveLength(1);
  expect(screen.getAllByText('You, at the registrar')).toHaveLength(1);
  expect(screen.getAllByText('Needs fixing')).toHaveLength(2);
  expect(copyOf('value')).toHaveLength(2);
  await user.click(screen.getAllByRole('button', { name: /^Details of record/ })[0]!);
  expect(shownOf(0).getAllByText(/is not registered/)).toHaveLength(1);
});

test.each([
  [SPF.value, 0],
  ['v=spf1 +all', 1],
])('an expected value that was found with another is not shown again: %s', (expected, times) => {
  const found = [SPF.value, 'v=spf1 -all'];
  openRecords(createLiveCheck(DOMAIN, { result: 'ok' }, { result: 'fail', found, expected }));
  expect(screen.getAllByText('Found')).toHaveLength(1);
  expect(screen.queryAllByText('Expected')).toHaveLength(times);
});

test('one record with a fault has it in its own line', () => {
  openRecords(createLiveCheck(DOMAIN, { result: 'fail', diagnosis: 'It is gone.' }, { result: 'ok' }));
  expect(shownOf(0).getAllByText(/It is gone/)).toHaveLength(1);
});

/** The element with this text, which may have places to break a line. */
const textOf = (text: string) => (_: string, element: Element | null) =>
  element?.tagName === 'CODE' && element.textContent === text;

test('what needs fixing comes first, with the steps at the host of the zone; what is right opens', async () => {
  const asked = { server: 'kim.ns.cloudflare.com', address: '192.0.2.1', at: '2026-03-04T05:06:07.000Z' };
  const evidence = [{ ...asked, answer: 'NXDOMAIN', records: [] }];
  const { user } = openRecords(
    createLiveCheck(
      DOMAIN,
      { result: 'ok', diagnosis: 'It is right.' },
      { result: 'fail', zone: 'x.test', fix: FIX, evidence },
    ),
  );
  await user.click(shownOf(0).getByRole('button', { name: /^Details of record/ }));
  const steps = shownOf(0).getByRole('list', { name: 'Steps at Cloudflare' });
  expect(within(steps).getAllByRole('listitem')[0]?.textContent).toMatch(
    /^Open the DNS records of x\.test at Cloudflare/,
  );
  expect(shownOf(1).queryByText('It is right.')).toBeNull();
  await user.click(shownOf(1).getByRole('button', { name: /^Details of record/ }));
  expect(shownOf(1).getByText('It is right.')).toBeDefined();
});

test('where the check could not tell the zone, the full name is what to type', () => {
  openRecords(createLiveCheck(DOMAIN, { fix: { ...FIX, host: null } }, {}));
  expect([...copyOf('host, relative'), ...copyOf('host to enter')]).toHaveLength(0);
  expect(copyOf('full name to enter')).toHaveLength(1);
  expect(shownOf(0).getByText('Full name').parentElement?.textContent).toContain(CNAME.name);
});

test('who has to act is next to the diagnosis', () => {
  openRecords(createLiveCheck(DOMAIN, { turn: 'registrar', diagnosis: 'It is gone.' }, { result: 'ok' }));
  expect(shownOf(0).getByText('You, at the registrar')).toBeDefined();
  expect(shownOf(0).getByText('It is gone.')).toBeDefined();
  expect(shownOf(1).queryByText('You, at the registrar')).toBeNull();
});

const advice = (about: string, result: 'fail' | 'warn') => ({
  kind: 'advice' as const,
  about,
  finding: createFinding({ result, turn: 'registrar', diagnosis: `About ${about}.` }),
});

test('advice that needs fixing stands with the records', () => {
  const check = createLiveCheck(DOMAIN, { result: 'ok' }, { result: 'ok' });
  openRecords({ ...check, lines: [...check.lines, advice('delegation', 'warn'), advice('dmarc', 'fail')] });
  const names = screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'));
  expect(names).toEqual(['DMARC', 'Delegation', 'Record 1', 'Record 2']);
  expect(shownOf(0).getByText('Needs fixing')).toBeDefined();
  expect(shownOf(1).getByText('You, at the registrar')).toBeDefined();
});

const INVISIBLE = 'v=spf1\u00a0a\u200b\u202e\ufeff\u{e0061}\u3164\u0007\ud800';
const NAMED = 'v=spf1[U+00A0]a[U+200B][U+202E][U+FEFF][U+E0061][U+3164][U+0007][U+D800]';

test('what is invisible is named wherever it comes from, and copied as it is', async () => {
  const finding: Partial<Finding> = {
    code: INVISIBLE,
    expected: SPF.value,
    found: [INVISIBLE],
    diagnosis: `It is ${INVISIBLE}`,
    zone: INVISIBLE,
    fix: { ...FIX, todo: INVISIBLE, type: INVISIBLE, host: INVISIBLE, name: INVISIBLE, value: INVISIBLE },
    evidence: [
      {
        server: INVISIBLE,
        address: INVISIBLE,
        at: '2026-03-04T05:06:07.000Z',
        answer: INVISIBLE,
        records: [{ name: INVISIBLE, type: INVISIBLE, value: INVISIBLE, ttl: 60 }],
      },
    ],
    dig: INVISIBLE,
  };
  const domain = domainWith({ type: INVISIBLE, name: INVISIBLE, value: INVISIBLE, is_valid: true });
  const check = createLiveCheck(domain, finding);
  const advice = { kind: 'advice' as const, about: INVISIBLE, finding: createFinding(finding) };
  const { user } = openRecords({ ...check, lines: [...check.lines, advice] }, domain);
  expect(document.body.textContent).toContain(`It is ${NAMED}`);
  for (const button of screen.getAllByRole('button', { name: /^Details/ })) await user.click(button);
  const shown = [...document.body.querySelectorAll('*')].flatMap((element) => [
    ...element.getAttributeNames().map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes].map((node) => node.nodeValue ?? ''),
  ]);
  expect(shown.filter((text) => /[\u00a0\u200b\u202e\ufeff\u3164]|(?!\n)\p{Cc}|\p{Cs}|\u{e0061}/u.test(text))).toEqual(
    [],
  );
  await user.click(copyOf('value to enter')[0]!);
  // A clipboard does not keep a lone surrogate.
  expect(await navigator.clipboard.readText()).toBe(INVISIBLE.toWellFormed());
});
