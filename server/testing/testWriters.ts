import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from '#contract/change.ts';
import type { Contact } from '#contract/contact.ts';
import type { Page } from '#contract/list.ts';
import { putContacts } from '../contacts/store.ts';
import { openDatabase } from '../database/openDatabase.ts';
import type { Workspace } from '../database/workspace.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

export type WriteAnswer = {
  /** `broken` is a connection that ended before the answer, `hung` a request without an answer in time. */
  status: number | 'broken' | 'hung';
  sent: number;
  at: number;
  retryAfter: string | null;
};

const HUNG_MS = 20_000;
const PAUSE_MS = 50;
const MORE_MS = 90_000;

type ContactWrites = {
  email: string;
  acknowledged: string[];
  uncertain: Set<string>;
  unanswered: number;
  subscribed: boolean | null;
  compared: string | null;
  step: number;
};

export async function createWriters(url: string, count: number): Promise<{ writers: Writers; workspace: Workspace }> {
  const database = await openDatabase(url);
  const workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, Date.now());
  const { token } = await createToken(workspace, database, { name: 'support', role: 'admin' }, Date.now());
  const emails = Array.from({ length: count }, (_, index) => `c${index}@example.com`);
  const people = emails.map((email) => ({ attributes: { email } }));
  await database.write(workspace, (scope) => putContacts(scope, people, Date.now()));
  await database.close();
  return { writers: new Writers({ workspace: workspace.uuid, token }, emails), workspace };
}

export class Writers {
  readonly answers: WriteAnswer[] = [];
  readonly #credentials: { workspace: string; token: string };
  readonly #contacts: ContactWrites[];
  #isStopped = true;
  #running: Promise<unknown> = Promise.resolve();
  #onAcknowledged: () => void = () => {};

  constructor(who: { workspace: string; token: string }, emails: readonly string[]) {
    this.#credentials = who;
    const nothing = { unanswered: 0, subscribed: null, compared: null, step: 0 };
    this.#contacts = emails.map((email) => ({ email, ...nothing, acknowledged: [], uncertain: new Set() }));
  }

  start(addresses: readonly string[], pause = 0): void {
    this.#isStopped = false;
    this.#running = Promise.all(this.#contacts.map((contact, index) => this.#write(contact, addresses, index, pause)));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  get token(): string {
    return this.#credentials.token;
  }

  get acknowledged(): number {
    return this.answers.filter(({ status }) => status === 200).length;
  }

  async waitForWrites(count: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let missing = count;
    this.#onAcknowledged = () => {
      if (--missing === 0) resolve();
    };
    const giveUp = () => reject(new Error(`After ${MORE_MS / 1000} s ${missing} of ${count} writes are missing.`));
    const timer = setTimeout(giveUp, MORE_MS);
    await promise.finally(() => clearTimeout(timer));
  }

  acknowledgedSince(time: number): boolean {
    return this.answers.some(({ status, sent }) => status === 200 && sent > time);
  }

  longestGap(start: number): number {
    const acknowledged = this.answers.filter(({ status, at }) => status === 200 && at >= start);
    const times = acknowledged.map(({ at }) => at);
    return Math.max(...times.map((at, index) => at - (times[index - 1] ?? start)));
  }

  async compare(address: string): Promise<{ faults: string[]; found: number; more: number }> {
    const faults: string[] = [];
    let found = 0;
    let more = 0;
    for (const contact of this.#contacts) {
      const logged = await this.#readNewIds(address, contact);
      const isAcknowledged = new Set(contact.acknowledged);
      const others = logged.filter((id) => !isAcknowledged.has(id));
      const unexpected = others.filter((id) => !contact.uncertain.has(id));
      const inOrder = logged.filter((id) => isAcknowledged.has(id));
      const lost = isAcknowledged.size - inOrder.length;
      if (lost > 0) faults.push(`${contact.email}: ${lost} acknowledged changes are lost.`);
      else if (inOrder.join() !== contact.acknowledged.join()) faults.push(`${contact.email}: the order is another.`);
      if (unexpected.length > contact.unanswered) {
        faults.push(`${contact.email}: ${unexpected.length} changes were made that were refused.`);
      }
      found += inOrder.length;
      more += others.length;
      const compared = logged.at(-1) ?? contact.compared;
      Object.assign(contact, { compared, acknowledged: [], uncertain: new Set(), unanswered: 0, subscribed: null });
    }
    return { faults, found, more };
  }

  async #write(contact: ContactWrites, addresses: readonly string[], first: number, pause: number): Promise<void> {
    let turn = first;
    while (!this.#isStopped) {
      const address = addresses[turn % addresses.length] ?? '';
      if (await this.#writeOnce(contact, address)) {
        if (pause > 0) await delay(pause);
        continue;
      }
      turn++;
      await delay(PAUSE_MS);
    }
  }

  /** Every request changes something. */
  async #writeOnce(contact: ContactWrites, address: string): Promise<boolean> {
    const { workspace, token } = this.#credentials;
    const at = `/v1/workspaces/${workspace}/contacts/${contact.email}`;
    const step = ++contact.step;
    const [path, json] =
      contact.subscribed === null || step % 3 === 0
        ? [`/v1/contacts/${contact.email}`, { attributes: { step } }]
        : contact.subscribed
          ? [`${at}/unsubscribe`, {}]
          : [`${at}/subscribe`, { reason: `Step ${step}` }];
    const sent = performance.now();
    const note = (status: WriteAnswer['status'], retryAfter: string | null = null) =>
      void this.answers.push({ status, sent, at: performance.now(), retryAfter });
    try {
      const signal = AbortSignal.timeout(HUNG_MS);
      const response = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(json),
        signal,
      });
      const body = (await response.json()) as { data?: Contact; subscribed?: boolean; detail?: string };
      const id = response.headers.get('x-request-id') ?? '';
      note(response.status, response.headers.get('retry-after'));
      if (response.status !== 200) {
        if (body.detail?.includes('Nothing was changed') !== true) this.#markUncertain(contact, id);
        return false;
      }
      contact.acknowledged.push(id);
      contact.subscribed = (body.data ?? body).subscribed ?? null;
      this.#onAcknowledged();
      return true;
    } catch (error) {
      note((error as Error).name === 'TimeoutError' ? 'hung' : 'broken');
      // A refused connection carried no request.
      const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
      if (code !== 'ECONNREFUSED') this.#markUncertain(contact, null);
      return false;
    }
  }

  #markUncertain(contact: ContactWrites, id: string | null): void {
    if (id === null) contact.unanswered++;
    else contact.uncertain.add(id);
    contact.subscribed = null;
  }

  async #readNewIds(address: string, { email, compared }: ContactWrites): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const path = `/v1/contacts/${email}/changes?per_page=100&page=${page}`;
      const response = await fetch(`${address}${path}`, {
        headers: { authorization: `Bearer ${this.#credentials.token}` },
      });
      if (response.status !== 200) throw new Error(`The log cannot be read: ${await response.text()}`);
      const { data, meta } = (await response.json()) as Page<Change>;
      for (const { request_id } of data) {
        if (request_id === compared) return ids.toReversed();
        ids.push(request_id ?? '');
      }
      if (!meta.has_next) return ids.toReversed();
    }
  }
}

export function findUnclearAnswers(answers: readonly WriteAnswer[]): WriteAnswer[] {
  return answers.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && Number(retryAfter) > 0));
}
