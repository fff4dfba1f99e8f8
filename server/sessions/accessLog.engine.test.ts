import { must } from '#contract/must.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listChanges } from '../log/listChanges.ts';
import { ALL } from '../testing/testList.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { createToken, findPrincipal, revokeToken, setSuspended } from '../workspaces/store.ts';
import { createSignInCode, SIGN_IN_CODE_LIFETIME_MS } from './store.ts';

// Who signs in and out, and which known token or link was refused, is in the log of its workspace.

const CONSOLE = { 'sendroom-console': '1' };

let service: TestService;
let own: Tenant;
let other: Tenant;
beforeEach(async () => {
  service = await startTestService();
  [own, other] = await createTwinTenants(service.database, service.clock.now);
});
afterEach(() => service[Symbol.asyncDispose]());

const session = (init: CallInit) => service.call('/session', { ...init, headers: { ...CONSOLE, ...init.headers } });
const signIn = (json: unknown) => session({ method: 'POST', json });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** What the log says about access, oldest first, without how the tenant was made. */
async function linesOf({ workspace }: Tenant) {
  const { data } = await listChanges(workspace, service.database, ALL);
  return data.toReversed().slice(2);
}

test('a sign-in and a sign-out, with who and in which request', async () => {
  const signedIn = await signIn({ token: own.token });
  const cookie = cookieOf(signedIn);
  const signedOut = await session({ method: 'DELETE', headers: { cookie } });
  expect(signedOut.status).toBe(204);
  await session({ method: 'DELETE', headers: { cookie } });
  await expect.poll(() => linesOf(own)).toHaveLength(2);
  const actor = { kind: 'token', name: own.canary };
  expect(await linesOf(own)).toMatchObject([
    { action: 'sign_in', actor, request_id: signedIn.headers.get('x-request-id'), contact: null, details: null },
    { action: 'sign_out', actor, request_id: signedOut.headers.get('x-request-id') },
  ]);
  expect(await linesOf(other)).toEqual([]);
});

test('who signs in beside a session of another workspace ends that one', async () => {
  const cookie = cookieOf(await signIn({ token: other.token }));
  expect((await session({ method: 'POST', json: { token: own.token }, headers: { cookie } })).status).toBe(200);
  expect((await session({ headers: { cookie } })).status).toBe(401);
});

test('a known token or link that is refused, and why; nobody knows where an unknown one belongs', async () => {
  const { database, clock } = service;
  const now = clock.now;
  const token = (name: string, more: object = {}) =>
    createToken(own.workspace, database, { name, role: 'read', ...more }, now);
  const revoked = await token('revoked');
  await revokeToken(own.workspace, database, revoked.uuid, now);
  const expired = await token('expired', { expires_at: now - 1 });
  const writing = await token('writing', { role: 'ingest' });
  const principal = must(await findPrincipal(database, own.token, now));
  const used = await createSignInCode(database, principal, now);
  expect((await signIn({ code: used })).status).toBe(200);
  const late = await createSignInCode(database, principal, now - SIGN_IN_CODE_LIFETIME_MS - 1);
  const given: [credentials: object, status: number][] = [
    [{ token: revoked.token }, 401],
    [{ token: expired.token }, 401],
    [{ token: writing.token }, 403],
    [{ token: own.token, workspace: other.workspace.uuid }, 403],
    [{ code: used }, 401],
    [{ code: late }, 401],
    [{ token: `${own.token}0` }, 401],
    [{ code: 'unknown' }, 401],
  ];
  for (const [credentials, status] of given) expect((await signIn(credentials)).status).toBe(status);
  await setSuspended(own.workspace, database, true);
  expect((await signIn({ token: own.token })).status).toBe(403);
  const refusals = async () =>
    (await linesOf(own)).flatMap(({ action, actor, details }) =>
      action === 'sign_in_refused' ? [[actor.name, details?.['reason']]] : [],
    );
  await expect.poll(refusals).toEqual([
    ['revoked', 'token revoked'],
    ['expired', 'token expired'],
    ['writing', 'role reads nothing'],
    [own.canary, 'another workspace'],
    [own.canary, 'link used or expired'],
    [own.canary, 'link used or expired'],
    [own.canary, 'workspace suspended'],
  ]);
  expect(await linesOf(other)).toEqual([]);
});

const RUN = '0000000A-0000-4000-8000-00000000000b';
const unsubscribe = (at: TestService, { workspace, contact, token }: Tenant, run: string) =>
  at.call(`/v1/workspaces/${workspace.uuid}/contacts/${contact}/unsubscribe`, {
    method: 'POST',
    token,
    headers: { 'sendroom-run': run },
  });

test('a request may say which run it is part of, and the lines of a run are found by it', async () => {
  expect((await unsubscribe(service, own, 'no UUID')).status).toBe(400);
  expect((await unsubscribe(service, own, RUN)).status).toBe(200);
  expect(await linesOf(own)).toMatchObject([{ action: 'unsubscribe', run: RUN.toLowerCase() }]);
  const found = await service.call(`/v1/changes?search=${RUN}`, { token: own.token });
  expect(await found.json()).toMatchObject({ data: [{ action: 'unsubscribe' }], meta: { total: 1 } });
});

test('a bare interface does not know of runs', async () => {
  await using bare = await startTestService({ settings: { ADDITIONS: 'off' } });
  const [tenant] = await createTwinTenants(bare.database, bare.clock.now);
  expect((await unsubscribe(bare, tenant, 'no UUID')).status).toBe(200);
  const { data } = await listChanges(tenant.workspace, bare.database, ALL);
  expect(data[0]).toMatchObject({ action: 'unsubscribe', run: null });
});
