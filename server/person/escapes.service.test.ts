import { afterEach, beforeEach, expect, test } from 'vitest';
import { findInconsistencies } from '../admin/check.ts';
import type { Workspace } from '../database/workspace.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

// An identity is found where a program wrote it in its own way, as in a link to the contact, which tickets have.

const ANNA = { email: 'Anna.Qqq+news@pct.example', phone: '+49 30 5550123', customer_id: 'Kundin Nº 7' };
const WRITTEN = [
  'https://c.example/contacts/anna.qqq%2Bnews%40pct.example',
  'https://c.example/contacts/anna.qqq%2bnews%40pct.example?from=desk',
  'https://d.example/?to=https%3A%2F%2Fc.example%2Fcontacts%2Fanna.qqq%252Bnews%2540pct.example',
  'https://d.example/?to=%61%6e%6e%61.qqq%2bnews@pct.example',
  '<a href="mailto:anna.qqq&#43;news&#64;pct.example">',
  'anna.qqq&plus;news&#x40;pct.example',
  'anna.qqq+news&commat;pct&period;example',
  '&amp;lt;anna.qqq+news&amp;#64;pct.example',
  '=?utf-8?q?anna=2Eqqq=2Bnews=40pct.example?=',
  'anna.qqq+news@pct.exa=\nmple',
  String.raw`{"to":"anna.qqq\u002bnews\u0040pct.example"}`,
  'anna.qqq+news(at)pct.example',
  'anna.qqq+news [AT] pct(dot)example',
  'tel:%2B49%2030%205550123',
  'https://c.example/contacts?search=49+30+5550123',
  'https://c.example/contacts/Kundin%20N%C2%BA%207',
];
const OTHERS = [
  '100% of (all) & "more" = fine',
  'https://c.example/contacts/xanna.qqq%2Bnews%40pct.example',
  '%ZZ &#x7fffff; =4',
];

let service: TestService;
let workspace: Workspace;
let token: string;

beforeEach(async () => {
  service = await startTestService();
  const { database, clock } = service;
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, clock.now);
  ({ token } = await createToken(workspace, database, { name: 'boss', role: 'admin' }, clock.now));
});
afterEach(() => service[Symbol.asyncDispose]());

async function post(path: string, json: unknown): Promise<{ status: number; body: unknown }> {
  const response = await service.call(path, { method: 'POST', token, json });
  return { status: response.status, body: await response.json() };
}

test('reasons of others that have an identity in an escaped form go, and the request may not have one', async () => {
  await post('/v1/contacts', { attributes: ANNA });
  const bert = await post('/v1/contacts', { attributes: { email: 'bert@x.test' } });
  const { uuid } = (bert.body as { data: { uuid: string } }).data;
  const at = `/v1/workspaces/${workspace.uuid}/contacts/${uuid}`;
  for (const reason of [...WRITTEN, ...OTHERS]) {
    await post(`${at}/unsubscribe`, {});
    expect(await post(`${at}/subscribe`, { reason })).toMatchObject({ status: 200 });
  }
  const erasure = `/v1/contacts/${encodeURIComponent(ANNA.email)}/erasure`;
  for (const written of WRITTEN) {
    for (const field of ['reference', 'reason']) {
      const request = { identity: ANNA.email, [field]: written };
      expect(await post(erasure, request), written).toMatchObject({
        status: 422,
        body: { errors: [{ field, message: `${field} names the person, and would stay.` }] },
      });
    }
  }
  const erased = await post(erasure, { identity: ANNA.email, reason: OTHERS[0], reference: 'R=7 (49%)' });
  expect(erased).toMatchObject({ status: 200, body: { data: { log_lines: WRITTEN.length } } });
  const changes = await service.call(`/v1/contacts/${uuid}/changes?per_page=100`, { token });
  const { data } = (await changes.json()) as { data: { reason: string | null }[] };
  expect(data.flatMap(({ reason }) => reason ?? []).toSorted()).toEqual(OTHERS.toSorted());
  expect(await findInconsistencies(workspace, service.database)).toEqual([]);
});
