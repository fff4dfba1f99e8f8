import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogLine } from '#contract/auditLog.ts';
import type { Page } from '#contract/list.ts';
import { SHARED_VIEWS_MAX, type SavedView, VIEW_NAME_MAX, VIEW_QUERY_MAX, VIEWS_MAX } from '#contract/savedViews.ts';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { foldText } from '../../database/search/textSearch.ts';
import type { Workspace } from '../../database/workspace.ts';
import { readAllMembers, removeMember } from '../../members/members.ts';
import { createMigratedStorage, type TestStorage } from '../../testing/testDatabase.ts';
import { detailOf, newPerson } from '../../testing/testPeople.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createToken, createWorkspace, revokeToken } from '../../workspaces/store.ts';
import { putContacts } from '../store.ts';

type Headers = Record<string, string>;

let place: TestStorage;
let service: TestService;
let workspace: Workspace;
let made: { uuid: string; token: string };
/** An admin, someone who only reads, and a token. */
let [ann, ben, token]: Headers[] = [];

beforeEach(async () => {
  place = await createMigratedStorage();
  service = await startTestService({ place: { ...place, [Symbol.asyncDispose]: async () => {} } });
  const { database, clock } = service;
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, 0);
  [ann, ben] = [await newPerson(service, workspace, 'admin'), await newPerson(service, workspace, 'read')];
  made = await createToken(workspace, database, { name: 'reports', role: 'support' }, clock.now);
  token = { authorization: `Bearer ${made.token}` };
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const call = (who: Headers | undefined, method: string, path: string, json?: unknown) =>
  service.call(path, { method, headers: must(who), ...(json !== undefined && { json }) });
const dataOf = async <Data>(response: Response) => {
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Data }).data;
};
const send = (who: Headers | undefined, view: Partial<SavedView>) =>
  call(who, 'POST', '/v1/views', { query: 'subscribed=false', shared: false, ...view });
const save = async (who: Headers | undefined, name: string, view: Partial<SavedView> = {}) =>
  dataOf<SavedView>(await send(who, { name, ...view }));
const change = (who: Headers | undefined, { uuid }: SavedView, changes: object) =>
  call(who, 'POST', `/v1/views/${uuid}`, changes);
const remove = (who: Headers | undefined, { uuid }: SavedView) => call(who, 'DELETE', `/v1/views/${uuid}`);
const list = async (who: Headers | undefined) => dataOf<SavedView[]>(await call(who, 'GET', '/v1/views'));
const namesOf = async (who: Headers | undefined) => (await list(who)).map(({ name }) => name);
const linesOf = async () => {
  const response = await call(ann, 'GET', '/v1/changes?per_page=100');
  const { data } = (await response.json()) as Page<LogLine>;
  return data.filter(({ action }) => action.startsWith('view_')).toReversed();
};

test('everyone sees their own views and those that are shared, own ones first, and the rest by name', async () => {
  const saved = await save(ann, ' VIPs ', { query: 'filter=plan%3Apro&sort=-updated_at' });
  expect(saved).toEqual({
    uuid: saved.uuid,
    name: 'VIPs',
    query: 'filter=plan%3Apro&sort=-updated_at',
    shared: false,
    own: true,
    owner: expect.objectContaining({ kind: 'person' }),
  });
  await save(ann, 'élan', { shared: true });
  await save(ben, 'bounced', { shared: true });
  await save(token, 'Zones');
  expect(await namesOf(ann)).toEqual(['élan', 'VIPs', 'bounced']);
  expect(await namesOf(ben)).toEqual(['bounced', 'élan']);
  expect(await namesOf(token)).toEqual(['Zones', 'bounced', 'élan']);
  expect((await list(ben)).map(({ own }) => own)).toEqual([true, false]);
  expect(await verifyWorkspace(workspace, service.database)).toEqual([]);
});

test('only the owner changes a view, or an admin one that is shared; what someone keeps is unknown to others', async () => {
  const kept = await save(ben, 'kept');
  const shared = await save(ben, 'shared', { shared: true });
  for (const who of [ann, token]) {
    expect((await change(who, kept, { name: 'mine' })).status).toBe(404);
    expect((await remove(who, kept)).status).toBe(404);
  }
  const refusal = [403, 'Only an admin can change a view that someone else shares.'];
  expect(await detailOf(await change(token, shared, { name: 'mine' }))).toEqual(refusal);
  expect(await detailOf(await remove(token, shared))).toEqual(refusal);
  expect(await dataOf<SavedView>(await change(ben, kept, { query: 'search=acme' }))).toEqual({
    ...kept,
    query: 'search=acme',
  });
  expect(await dataOf(await change(ann, shared, { name: 'Bounces' }))).toMatchObject({ name: 'Bounces', own: false });
  expect(await namesOf(ben)).toEqual(['Bounces', 'kept']);
  await change(ann, shared, { shared: false });
  expect([await namesOf(ann), await namesOf(ben)]).toEqual([[], ['Bounces', 'kept']]);
  expect(await dataOf(await remove(ben, kept))).toMatchObject({ name: 'kept' });
  expect(await namesOf(ben)).toEqual(['Bounces']);
});

test('a name is refused a second time from the same owner, in any letter case', async () => {
  const vips = await save(ann, 'VIPs');
  const other = await save(ann, 'other', { shared: true });
  const taken = [409, 'You already have a view with this name.'];
  expect(await detailOf(await send(ann, { name: 'vips' }))).toEqual(taken);
  expect(await detailOf(await change(ann, other, { name: 'VIPS ' }))).toEqual(taken);
  expect((await change(ann, vips, { name: 'vips' })).status).toBe(200);
  await save(ben, 'VIPs');
  const bens = await save(ben, 'shared', { shared: true });
  expect(await detailOf(await change(ann, bens, { name: 'vips' }))).toEqual([
    409,
    'Its owner already has a view with this name.',
  ]);
});

test('names, queries and the number of views have limits', async () => {
  for (const view of [
    { name: ' ' },
    { name: 'x'.repeat(VIEW_NAME_MAX + 1) },
    { name: 'long', query: 'x'.repeat(VIEW_QUERY_MAX + 1) },
  ]) {
    expect((await send(ann, view)).status).toBe(422);
  }
  for (let index = 0; index < VIEWS_MAX; index++) await save(ann, `view ${index}`, { shared: true });
  expect(VIEWS_MAX).toBe(SHARED_VIEWS_MAX);
  expect(await detailOf(await send(ann, { name: 'one more' }))).toEqual([409, 'You have 100 views. Delete one first.']);
  const full = [409, 'The workspace has 100 shared views. Stop sharing one first.'];
  expect(await detailOf(await send(ben, { name: 'one more', shared: true }))).toEqual(full);
  const kept = await save(ben, 'kept');
  expect(await detailOf(await change(ben, kept, { shared: true }))).toEqual(full);
});

test('the log says what concerns others, and never the query', async () => {
  const view = await save(ann, 'VIPs');
  await change(ann, view, { name: 'Very important' });
  expect(await linesOf()).toEqual([]);
  await change(ann, view, { shared: true });
  await change(ann, view, { shared: true });
  await change(ann, view, { name: 'VIPs', query: 'search=acme' });
  await change(ann, view, { query: 'search=globex' });
  await change(ann, view, { shared: false });
  await remove(ann, view);
  await remove(ann, await save(ann, 'Team', { shared: true }));
  expect((await linesOf()).map(({ action, details }) => [action, details?.['name'], details?.['before']])).toEqual([
    ['view_share', 'Very important', undefined],
    ['view_update', 'VIPs', 'Very important'],
    ['view_update', 'VIPs', undefined],
    ['view_remove', 'VIPs', undefined],
    ['view_share', 'Team', undefined],
    ['view_remove', 'Team', undefined],
  ]);
  expect(JSON.stringify(await linesOf())).not.toMatch(/acme|globex/);
});

test('someone who loses access leaves what they share, and nothing else', async () => {
  for (const who of [ben, token]) {
    await save(who, 'kept');
    await save(who, `shared ${must(who) === ben ? 'by Ben' : 'by a token'}`, { shared: true });
  }
  const { database, clock } = service;
  const members = await readAllMembers(workspace, database);
  await removeMember(workspace, database, must(members.find(({ role }) => role === 'read')).uuid, { now: clock.now });
  await revokeToken(workspace, database, made.uuid, clock.now);
  const rows = await database.read(workspace, (scope) => scope.select('saved_views').select('name').execute());
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['shared by Ben', 'shared by a token']);
  expect(await namesOf(ann)).toEqual(
    ['shared by a token', 'shared by Ben'].toSorted((one, other) => foldText(one).localeCompare(foldText(other), 'en')),
  );
});

test('an erasure deletes the views that mention the person, no matter who saved them', async () => {
  const { database, clock } = service;
  const email = 'anna.berg@example.com';
  await database.write(workspace, (scope) =>
    putContacts(scope, [{ attributes: { email } }, { attributes: { email: 'bo@example.com' } }], clock.now),
  );
  await save(ann, 'by filter', { query: `filter=${encodeURIComponent(`email:${email.toUpperCase()}`)}` });
  await save(ben, 'as a form', { query: 'search=anna.berg%40example.com+Acme' });
  await save(ben, `Mail of ${email}`, { query: '', shared: true });
  await save(ann, 'others', { query: 'filter=email%3Abo%40example.com' });
  await save(ben, 'longer', { query: 'filter=email%3Ahanna.berg%40example.com' });
  const erased = await call(ann, 'POST', `/v1/contacts/${email}/erasure`, { identity: email, also: [email] });
  expect(erased.status).toBe(200);
  expect(await namesOf(ann)).toEqual(['others']);
  expect(await namesOf(ben)).toEqual(['longer']);
  const [line] = await linesOf();
  expect(line).toMatchObject({ action: 'view_share', details: null });
});
