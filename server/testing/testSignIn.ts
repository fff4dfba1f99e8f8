import { afterEach, beforeEach, vi } from 'vitest';
import type { Page } from '#contract/list.ts';
import type { LogLine } from '#contract/auditLog.ts';
import type { Member } from '#contract/members.ts';
import type { REFUSALS, Session } from '#contract/session.ts';
import type { Workspace } from '../database/workspace.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import { CONSOLE } from './testPeople.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startAccountProvider,
  type AccountProvider,
} from '../../testing/programs/accountProvider.ts';
import { TestBrowser } from './testBrowser.ts';
import { startTestService, type TestService } from './testService.ts';

// The whole sign-in with an account, against a real provider.

export const PUBLIC_URL = 'http://console.test/';
export const BEGIN = `${PUBLIC_URL}session/account`;
export const MINUTE = 60_000;
export const ANN = { email: 'ann@example.com', email_verified: true, name: 'Ann' };

export const refused = (code: (typeof REFUSALS)[number]) => `/sign-in#refused=${code}`;
export const isCallback = (next: string) => next.startsWith(`${BEGIN}/callback`);

export class TestSignIn {
  provider!: AccountProvider;
  service!: TestService;
  workspace!: Workspace;
  token!: string;

  constructor() {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: false });
    });
    afterEach(async () => {
      vi.useRealTimers();
      await this.service[Symbol.asyncDispose]();
      await this.provider[Symbol.asyncDispose]();
    });
  }

  async start(settings: Record<string, string> = {}, options: object = {}, consoleDir?: string): Promise<void> {
    this.provider = await startAccountProvider({ publicUrl: PUBLIC_URL, ...options });
    this.service = await startTestService({
      settings: {
        PUBLIC_URL,
        OIDC_ISSUER: this.provider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_ROLES: 'support-team=support',
        LOG_LEVEL: 'info',
        ...settings,
      },
      ...(consoleDir !== undefined && { consoleDir }),
    });
    this.setTime(Date.UTC(2026, 10, 21, 9));
    const { database } = this.service;
    this.workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, 0);
    ({ token: this.token } = await createToken(this.workspace, database, { name: 'ops', role: 'admin' }, 0));
  }

  async begin(...settings: Parameters<TestSignIn['start']>): Promise<TestBrowser> {
    await this.start(...settings);
    this.letIn();
    return this.browser();
  }

  /** The time of the service, the provider and both libraries. */
  setTime(time: number): void {
    this.service.clock.now = time;
    vi.setSystemTime(time);
  }

  browser(): TestBrowser {
    return new TestBrowser(PUBLIC_URL, this.service.url);
  }

  /** Gives somebody an account; everyone who signs in at the provider is this person from now on. */
  letIn(sub = 'ann', claims: object = { ...ANN, groups: ['support-team'] }): void {
    this.provider.accounts.set(sub, { ...claims });
    this.provider.person = sub;
  }

  async signIn(ann: TestBrowser, query = ''): Promise<string> {
    return (await ann.follow(BEGIN + query)).slice(PUBLIC_URL.length - 1);
  }

  async sessionOf(ann: TestBrowser): Promise<Session | null> {
    const response = await this.service.call('/session', { headers: { ...CONSOLE, cookie: ann.cookies } });
    return response.status === 200 ? ((await response.json()) as { data: Session | null }).data : null;
  }

  async members(): Promise<Member[]> {
    return (await this.#read<Page<Member>>('/v1/members')).data;
  }

  async lines(): Promise<LogLine[]> {
    return (await this.#read<Page<LogLine>>('/v1/changes?per_page=100')).data;
  }

  async #read<Body>(path: string): Promise<Body> {
    return (await (await this.service.call(path, { token: this.token })).json()) as Body;
  }
}
