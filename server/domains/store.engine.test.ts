import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filteredDomains as contract } from '#contract/additions.ts';
import type { Domain } from '#contract/domains/domain.ts';
import { judgeDomainState } from '#contract/domains/domainState.ts';
import type { CheckedListQuery } from '#contract/list.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL, compareRows } from '../testing/testList.ts';
import type { Workspace } from '../database/workspace.ts';
import { type ImportedAddress, putAddresses } from './putAddresses.ts';
import { summarizeDomains } from './countStates.ts';
import { type ImportedDomain, putDomains } from './putDomains.ts';
import { listDomainAddresses, listDomains } from './store.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const put = (domains: ImportedDomain[], workspace: Workspace = t.workspace, now = NOW) =>
  t.db.write(workspace, (scope) => putDomains(scope, domains, now));
const putAddress = (address: ImportedAddress, workspace: Workspace = t.workspace, now = NOW) =>
  t.db.write(workspace, async (scope) => (await putAddresses(scope, [address], now))[0]);
const domains = async (workspace: Workspace = t.workspace) => (await listDomains(workspace, t.db, ALL)).data;
const addresses = async (domain: string, query: Partial<CheckedListQuery> = {}, workspace: Workspace = t.workspace) =>
  listDomainAddresses(workspace, t.db, domain, { ...ALL, ...query });
const wholeAddresses = async (domain: string) =>
  (await addresses(domain))?.data.map(({ full_address }) => full_address);

const dns = [
  { type: 'MX', name: 'bounce.mail.example', value: '10 feedback-smtp.example.net', is_valid: true },
  { type: 'CNAME', name: 'b._domainkey.mail.example', value: 'b.dkim.example.net', is_valid: false },
  { type: 'CNAME', name: 'a._domainkey.mail.example', value: 'a.dkim.example.net', is_valid: false },
];
const mail = {
  uuid: randomUUID(),
  name: 'Mail.example.',
  verified: true,
  provider: 'ses',
  // No NUL.
  status: String.raw`a word nobody knows \u0000`,
  verification: 'completed',
  mail_from_domain: 'bounce.mail.example',
  mail_from_verified: false,
  dns,
  created_at: NOW - 1000,
  updated_at: NOW - 500,
};

describe('importing domains', () => {
  test('what was given comes back, records in the order in which they were given', async () => {
    expect(await put([mail])).toEqual(['added']);
    expect(await domains()).toEqual([
      {
        ...mail,
        name: 'Mail.example',
        domain: 'Mail.example',
        created_at: '2026-11-21T08:59:59.000Z',
        updated_at: '2026-11-21T08:59:59.500Z',
      },
    ]);
  });

  test('the same again changes nothing; what differs changes, and updated_at with it', async () => {
    const { updated_at: _, ...untimed } = mail;
    await put([untimed]);
    const before = await domains();
    expect(await put([untimed, { name: 'MAIL.EXAMPLE' }, { name: ' mail.example. ', dns }])).toEqual([
      'unchanged',
      'changed',
      'changed',
    ]);
    expect(await domains()).toEqual([{ ...before[0], name: 'mail.example', updated_at: '2026-11-21T09:00:00.001Z' }]);
    const fixed = dns.map((record) => ({ ...record, is_valid: true }));
    expect(await put([{ name: 'mail.example', dns: fixed, status: 'active' }])).toEqual(['changed']);
    expect(await domains()).toMatchObject([
      { uuid: mail.uuid, dns: fixed, status: 'active', verification: 'completed' },
    ]);
  });

  const [COMPOSED, DECOMPOSED, ASCII] = ['münchen.example', 'mu\u0308nchen.example', 'xn--mnchen-3ya.example'];

  test('an internationalized name is one domain in each way to write it, for its addresses too', async () => {
    expect(await put([{ name: DECOMPOSED }])).toEqual(['added']);
    expect(await domains()).toMatchObject([{ name: COMPOSED, domain: COMPOSED }]);
    const other = { name: 'XN--MNCHEN-3YA.example.', uuid: randomUUID() };
    expect(await put([{ name: COMPOSED }, { name: ASCII, status: 'active' }, other])).toEqual([
      'unchanged',
      'changed',
      [{ field: 'name', message: 'Another domain of this workspace already has this name.' }],
    ]);
    expect(await domains()).toMatchObject([{ name: ASCII, domain: COMPOSED, status: 'active' }]);
    for (const [index, domain] of [ASCII, COMPOSED, DECOMPOSED].entries())
      expect(await putAddress({ domain, address: 'news' })).toBe(index === 0 ? 'added' : 'unchanged');
  });

  test.each<[string, Partial<ImportedDomain>, string]>([
    ['an empty name', { name: ' . ' }, 'name'],
    ['a name that is a sentence', { name: 'mail example' }, 'name'],
    ['a name of 254 characters', { name: 'n'.repeat(254) }, 'name'],
    ['a uuid that is none', { uuid: '7' }, 'uuid'],
    ['another domain of that name', { uuid: randomUUID(), name: 'MAIL.example' }, 'name'],
    ['a character that cannot be stored', { status: 'a\u0000' }, 'status'],
    ['half of a character pair', { provider: 'a\ud83d' }, 'provider'],
    ['half of a character pair in a record', { dns: [{ ...dns[0], value: '\udc00' }] as ImportedDomain['dns'] }, 'dns'],
  ])('%s is told and changes nothing', async (_, wrong, field) => {
    await put([mail]);
    const before = await domains();
    expect(await put([{ name: 'new.example', ...wrong }])).toEqual([[expect.objectContaining({ field })]]);
    expect(await domains()).toEqual(before);
  });
});

const isFound = ({ name }: Domain, search: string) =>
  [search, ...(search === 'bücher' ? ['xn--bcher-kva'] : [])].some((spelling) =>
    name.toLowerCase().includes(spelling.toLowerCase()),
  );

describe('the list of domains', () => {
  const words = ['pending', 'Pending', 'active', 'žádný', ''];
  const many = Array.from({ length: 50 }, (_, index) => ({
    name: `${['Mail', 'news', 'under_score', 'xn--bcher-kva', 'BÜCHER'][index % 5]}${index % 13}-${index}.example`,
    verified: index % 2 === 0,
    provider: words[index % 3] ?? '',
    status: words[index % 5] ?? '',
    verification: words[index % 4] ?? '',
    mail_from_domain: `m${index % 7}`,
    mail_from_verified: index % 3 === 0,
    created_at: NOW - Math.floor(index / 4) * 1000,
    dns: dns.slice(0, index % 4),
  }));
  const sorting = fc.uniqueArray(fc.record({ id: fc.constantFrom(...contract.list.sortable), desc: fc.boolean() }), {
    maxLength: 3,
    selector: (sort) => sort.id,
  });
  const filters = fc.record({ state: fc.constantFrom(...contract.list.choices.state) }, { requiredKeys: [] });
  const search = fc.constantFrom('', 'MAIL', 'bücher', '_', '%', '\\', '1', '.example', 'zzz');

  test('is what filtering, sorting and slicing all domains gives', async () => {
    await put(many);
    const all = await domains();
    expect(all).toHaveLength(50);
    await fc.assert(
      fc.asyncProperty(
        search,
        sorting,
        filters,
        fc.integer({ min: 1, max: 9 }),
        async (search, sorting, filters, page) => {
          const found = all
            .filter((domain) => isFound(domain, search))
            .filter((domain) => filters.state === undefined || judgeDomainState(domain) === filters.state)
            .toSorted((one, other) => compareRows<Domain>(sorting)(foldTexts(one), foldTexts(other)));
          const list = await listDomains(t.workspace, t.db, { page, per_page: 7, search, sorting, filters });
          expect(list.data).toEqual(found.slice((page - 1) * 7, page * 7));
          expect(list.meta.total).toBe(found.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** As they are sorted. */
const foldTexts = (domain: Domain): Domain => ({
  ...domain,
  name: domain.name.toLowerCase(),
  domain: domain.domain.toLowerCase(),
  provider: domain.provider.toLowerCase(),
  status: domain.status.toLowerCase(),
  verification: domain.verification.toLowerCase(),
});

const summary = async (workspace: Workspace = t.workspace) => {
  const { codes: _, providers: __, ...counts } = await summarizeDomains(workspace, t.db);
  return counts;
};

describe('the states of domains', () => {
  const right = { verified: true, status: 'completed', verification: 'completed' };
  const record = { type: 'TXT', name: '@', value: 'v', is_valid: true };

  test('are counted as domains come and change, for each workspace by itself', async () => {
    await put([
      { ...right, name: 'a.example' },
      { ...right, name: 'b.example', dns: [record] },
      { name: 'new.example' },
      { name: 'gone.example', status: 'failed' },
    ]);
    await put([{ name: 'a.example' }], t.otherWorkspace);
    expect(await summary()).toEqual({ total: 4, healthy: 2, warning: 0, pending: 1, failing: 1 });
    expect(await summary(t.otherWorkspace)).toEqual({ total: 1, healthy: 0, warning: 0, pending: 1, failing: 0 });

    await put([
      { name: 'b.example', dns: [{ ...record, is_valid: false }] },
      { name: 'gone.example', status: 'pending' },
      { name: 'new.example', provider: 'ses' },
    ]);
    expect(await summary()).toEqual({ total: 4, healthy: 1, warning: 0, pending: 2, failing: 1 });
    expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
  });
});

describe('sender addresses', () => {
  beforeEach(() => put([mail]));

  test('belong to a domain named by UUID or name; what follows from it is filled in', async () => {
    expect(await putAddress({ domain: 'MAIL.example.', address: 'News', created_at: NOW })).toBe('added');
    expect(await addresses(mail.uuid.toUpperCase())).toMatchObject({
      data: [
        {
          domain_uuid: mail.uuid,
          address: 'News',
          full_address: 'News@Mail.example',
          provider: 'ses',
          display_name: '',
          verification: 'pending',
          created_at: '2026-11-21T09:00:00.000Z',
        },
      ],
      meta: { total: 1 },
    });
  });

  test('the same again changes nothing; a new local part changes the whole address', async () => {
    const news = { uuid: randomUUID(), domain: mail.uuid, address: 'news', display_name: 'News' };
    await putAddress(news);
    const before = await addresses(mail.uuid);
    expect(await putAddress(news, t.workspace, NOW + 1000)).toBe('unchanged');
    expect(await putAddress({ domain: mail.uuid, address: ' NEWS ', display_name: 'News' })).toBe('changed');
    expect(await putAddress(news)).toBe('changed');
    expect(await putAddress({ ...news, address: 'hello' })).toBe('changed');
    expect((await addresses(mail.uuid))?.data).toEqual([
      {
        ...before?.data[0],
        address: 'hello',
        full_address: 'hello@Mail.example',
        updated_at: '2026-11-21T09:00:00.003Z',
      },
    ]);
  });

  test('a line without the whole address keeps that which is stored, until the address goes to another domain', async () => {
    const uuid = randomUUID();
    const other = randomUUID();
    await put([{ uuid: other, name: 'other.example' }]);
    await putAddress({ uuid, domain: mail.uuid, address: 'news', full_address: 'news@eu.mail.example' });
    expect(await putAddress({ domain: mail.uuid, address: 'news' })).toBe('unchanged');
    expect(await putAddress({ domain: mail.uuid, address: 'news', display_name: 'News' })).toBe('changed');
    expect(await wholeAddresses(mail.uuid)).toEqual(['news@eu.mail.example']);
    expect(await putAddress({ uuid, domain: mail.uuid, address: 'hello' })).toBe('changed');
    expect(await wholeAddresses(mail.uuid)).toEqual(['hello@eu.mail.example']);
    expect(await putAddress({ uuid, domain: other, address: 'hello' })).toBe('changed');
    expect(await wholeAddresses(other)).toEqual(['hello@other.example']);
  });

  test.each<[string, ImportedAddress, string]>([
    ['no domain', { address: 'a' }, 'domain'],
    ['an unknown domain', { domain: 'nowhere.example', address: 'a' }, 'domain'],
    ['no address', { domain: 'mail.example' }, 'address'],
    ['a local part of 65 characters', { domain: 'mail.example', address: 'a'.repeat(65) }, 'address'],
    ['a whole address with a space', { domain: 'mail.example', full_address: 'a b@mail.example' }, 'address'],
    ['a local part with two dots', { domain: 'mail.example', address: 'a..b' }, 'address'],
    ['a local part with an @', { domain: 'mail.example', address: 'a@b' }, 'address'],
    ['a quote that ends before the end', { domain: 'mail.example', address: '"a"b"' }, 'address'],
    ['a name that cannot be stored', { domain: 'mail.example', address: 'a', display_name: 'x\ud83d' }, 'display_name'],
    ['a uuid that is none', { domain: 'mail.example', address: 'a', uuid: '7' }, 'uuid'],
    ['another address of that name', { domain: 'mail.example', address: 'TAKEN', uuid: randomUUID() }, 'address'],
  ])('%s is told and changes nothing', async (_, wrong, field) => {
    await putAddress({ domain: 'mail.example', address: 'taken' });
    const before = await addresses(mail.uuid);
    expect(await putAddress(wrong)).toEqual([expect.objectContaining({ field })]);
    expect(await addresses(mail.uuid)).toEqual(before);
  });

  test.each(['a.b+c', "o'hara", '"a b@c"', '"a\\"b"', 'jörg', '{x}', '7'])('%s is a local part', async (address) => {
    expect(await putAddress({ domain: 'mail.example', address })).toBe('added');
    expect(await wholeAddresses(mail.uuid)).toEqual([`${address}@Mail.example`]);
  });

  test('and what is counted wrongly is told', async () => {
    const uuid = randomUUID();
    await put([{ uuid, name: 'one.example' }], t.otherWorkspace);
    await t.db.write(t.otherWorkspace, async (scope) => {
      const head = scope.update('workspace_heads');
      await head.set({ contact_count: 2, subscribed_count: 1, domain_count: 0 }).execute();
      await scope.update('domains').set({ address_count: 3, state: 'failing' }).where('uuid', '=', uuid).execute();
    });
    expect((await verifyWorkspace(t.otherWorkspace, t.db)).toSorted()).toEqual([
      `domains.address_count of ${uuid} is 3 (should be 0).`,
      `domains.state of ${uuid} doesn't match the row.`,
      'workspace_heads.contact_count is 2 (should be 0).',
      'workspace_heads.domain_count is 0 (should be 1).',
      'workspace_heads.failing_domain_count is 0 (should be 1).',
      'workspace_heads.pending_domain_count is 1 (should be 0).',
      'workspace_heads.subscribed_count is 1 (should be 0).',
    ]);
  });

  test('of a domain of another workspace, or of none, there are none to be seen', async () => {
    await putAddress({ domain: 'mail.example', address: 'news' });
    expect(await addresses(mail.uuid, {}, t.otherWorkspace)).toBeNull();
    expect(await addresses(randomUUID())).toBeNull();
    expect(await addresses('mail.example')).toBeNull();
  });
});
