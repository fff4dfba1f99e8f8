import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '#contract/change.ts';
import type { Contact } from '#contract/contact.ts';
import type { Domain } from '#contract/domains/domain.ts';
import type { Page } from '#contract/list.ts';
import { findBrowser } from '../../testing/programs/browser.ts';
import { startSendroom } from './startSendroom.ts';

export type Demo = Access & DemoContents;

type Access = { folder: string; workspace: string; token: string };

type DemoContents = {
  /** In the default order of the list. */
  domains: Domain[];
  addresses: Record<string, number>;
  /** Subscribed, with an email and plain names, without changes. */
  people: Contact[];
  withPhone: Contact;
  /** With an email and a last name, imported as unsubscribed. */
  unsubscribed: Contact;
  busiest: { contact: Contact; events: number };
};

// oxlint-disable-next-line import/no-default-export -- Playwright takes a global set-up as the default export
export default async function makeDemo(): Promise<() => Promise<void>> {
  if (findBrowser() === null) throw new Error('There is no Chromium here: `npm run e2e` finds or installs one.');
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-e2e-'));
  const sendroom = await startSendroom({ DATABASE_URL: databaseUrl(folder), DEMO: 'on' });
  const access = { folder, ...parseStartOutput(sendroom.output()) };
  const contents = await readContents(sendroom.url, access.token);
  await sendroom.stop();
  await writeFile(join(folder, CONTENTS), JSON.stringify({ ...access, ...contents } satisfies Demo));
  process.env[VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

const VARIABLE = 'SENDROOM_E2E_DEMO';
const BUSIEST = 'grace.adeyemi@example.com';
const CONTENTS = 'contents.json';

export async function readDemo(): Promise<Demo> {
  return JSON.parse(await readFile(join(process.env[VARIABLE] ?? '', CONTENTS), 'utf8')) as Demo;
}

export async function copyDemo(demo: Demo): Promise<{ url: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-e2e-'));
  await cp(demo.folder, folder, { recursive: true });
  return { url: databaseUrl(folder), remove: () => rm(folder, { recursive: true, force: true }) };
}

function databaseUrl(folder: string): string {
  return `file:${join(folder, 'sendroom.db')}`;
}

async function readContents(url: string, token: string): Promise<DemoContents> {
  const read = async <Item>(path: string): Promise<Page<Item>> => {
    const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path} returns ${response.status}.`);
    return (await response.json()) as Page<Item>;
  };
  const domains = (await read<Domain>('/v1/domains?per_page=100')).data;
  const addresses: Record<string, number> = {};
  for (const { uuid } of domains) addresses[uuid] = (await read(`/v1/domains/${uuid}/addresses`)).meta.total;

  let contacts: Contact[] = [];
  let page = 1;
  for (let hasNext = true; hasNext; page++) {
    const { data, meta } = await read<Contact>(`/v1/contacts?per_page=100&page=${page}`);
    contacts = contacts.concat(data);
    hasNext = meta.has_next;
  }
  const busiest = contacts.find(({ attributes }) => attributes.email === BUSIEST);
  const withPhone = contacts.find(({ attributes }) => isPlain(attributes.phone, /^\+\d+$/));
  const changesOf = async ({ uuid }: Contact) => (await read<Change>(`/v1/contacts/${uuid}/changes`)).data;
  const isUnchanged = async (contact: Contact) => (await changesOf(contact)).length === 0;
  let unsubscribed: Contact | undefined;
  for (const contact of contacts.filter(
    (one) => !one.subscribed && isPlain(one.attributes.email, /@/) && isPlain(one.attributes.last_name, /./),
  )) {
    // An import added it so.
    if ((await changesOf(contact)).every(({ action }) => action === 'create')) {
      unsubscribed = contact;
      break;
    }
  }
  if (!busiest || !withPhone || !unsubscribed) throw new Error('The demo lacks a contact the tests need.');
  const { meta } = await read(`/v1/contacts/${busiest.uuid}/events`);
  const people = contacts.filter(
    ({ uuid, subscribed, attributes: { email, first_name, last_name } }) =>
      subscribed &&
      uuid !== busiest.uuid &&
      isPlain(email, /^[a-z0-9._]+@[a-z.]+$/) &&
      isPlain(first_name, /^[A-Z][a-z]+$/) &&
      isPlain(last_name, /^[A-Z][a-z]+$/),
  );
  const unchanged: Contact[] = [];
  for (const contact of people.slice(0, 300)) {
    if (await isUnchanged(contact)) unchanged.push(contact);
  }
  return {
    domains,
    addresses,
    people: unchanged,
    withPhone,
    unsubscribed,
    busiest: { contact: busiest, events: meta.total },
  };
}

function isPlain(value: unknown, form: RegExp): boolean {
  return typeof value === 'string' && form.test(value);
}

function parseStartOutput(output: string): { workspace: string; token: string } {
  const token = /\bsr_\w+/.exec(output)?.[0];
  const workspace = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/.exec(output)?.[0];
  if (token === undefined || workspace === undefined)
    throw new Error(`No token or workspace ID was printed:\n${output}`);
  return { workspace, token };
}
