import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import type { Page } from '#contract/list.ts';
import type { LogLine } from '#contract/auditLog.ts';
import { must } from '#contract/values/must.ts';
import type { Member, PersonRole, SignedIn } from '#contract/members.ts';
import { Problem } from '#contract/problem.ts';
import type { Session } from '#contract/session.ts';
import { authorOf } from '../database/changeLog/author.ts';
import { type Account, admit } from '../members/admit.ts';
import { inviteMember } from '../members/members.ts';
import { openPersonSession } from '../sessions/store.ts';
import type { Workspace } from '../database/workspace.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import { type CallInit, startTestService, type TestService } from './testService.ts';

export const CONSOLE = { 'sendroom-console': '1' };

export function testAccount(email: string, more: Partial<Account> = {}): Account {
  const issuer = 'https://accounts.example.com';
  return { issuer, subject: email, email, claimedEmail: email, name: null, roleIn: () => null, ...more };
}

export async function signInAs(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  account: Account,
): Promise<Record<string, string> | null> {
  const occasion = { now: clock.now, requestId: randomUUID() };
  const admission = await admit(database, account, occasion);
  if ('refusal' in admission) return null;
  const author = authorOf({ person: admission.person, requestId: occasion.requestId });
  const opened = { previousSecret: undefined, refreshToken: null, author };
  return { ...CONSOLE, cookie: `sendroom=${await openPersonSession(database, admission, opened, clock.now)}` };
}

export async function newPerson(
  service: Pick<TestService, 'database' | 'clock'>,
  workspace: Workspace,
  role: PersonRole,
  email = `${randomUUID()}@example.com`,
): Promise<Record<string, string>> {
  await inviteMember(workspace, service.database, { email, role }, service.clock.now);
  return (await signInAs(service, testAccount(email))) ?? {};
}

type Headers = Record<string, string>;

export const detailOf = async (response: Response) => [response.status, Problem.parse(await response.json()).detail];

export class TestPlace {
  service!: TestService;
  workspace!: Workspace;
  token!: string;

  constructor() {
    beforeEach(async () => {
      this.service = await startTestService();
      const { database } = this.service;
      this.workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, 0);
      ({ token: this.token } = await createToken(this.workspace, database, { name: 'ops', role: 'admin' }, 0));
    });
    afterEach(() => this.service[Symbol.asyncDispose]());
  }

  byToken = () => ({ authorization: `Bearer ${this.token}` });
  call = (path: string, headers: Headers, init: CallInit = {}) => this.service.call(path, { headers, ...init });
  get = async <Body>(path: string, headers: Headers) => (await (await this.call(path, headers)).json()) as Body;
  post = (path: string, json: unknown, headers: Headers) => this.call(path, headers, { method: 'POST', json });
  remove = (path: string, headers: Headers) => this.call(path, headers, { method: 'DELETE' });

  listed = async () => (await this.get<Page<Member>>('/v1/members', this.byToken())).data;
  memberWith = async (email: string) => must((await this.listed()).find((member) => member.email === email));
  invite = (email: string, role: PersonRole = 'read') => this.post('/v1/members', { email, role }, this.byToken());
  logged = async () => (await this.get<Page<LogLine>>('/v1/changes?per_page=100', this.byToken())).data.toReversed();
  session = async (headers: Headers) => (await this.get<{ data: Session | null }>('/session', headers)).data;
  sessions = async (headers: Headers) => (await this.get<Page<SignedIn>>('/v1/sessions?per_page=100', headers)).data;
}
