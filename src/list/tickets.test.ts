import { expect, test } from 'vitest';
import { findBystanders, isUnclear } from './mail/bystanders.ts';
import { parseList } from './parseList.ts';
import { readInput } from './readInput.ts';

/** Whom the text names: ticked, unclear who of them is meant, and left out as one who does not ask. */
async function read(...documents: unknown[]) {
  const input = await readInput(documents.map((document) => JSON.stringify(document)).join('\n'), undefined, () => {});
  const entries = await parseList(input, undefined);
  const reasons = findBystanders(entries, input.lines, ({ values }) => values[0]?.endsWith('@own.test') ?? false);
  const named = (is: (reason: string | null) => boolean) => [
    ...new Set(
      entries
        .filter((entry) => entry.values.length > 0 && is(reasons.get(entry) ?? null))
        .map(({ values }) => values[0]),
    ),
  ];
  return {
    ticked: named((reason) => reason === null),
    unclear: named((leftOut) => isUnclear({ leftOut })),
    others: named((leftOut) => leftOut !== null && !isUnclear({ leftOut })),
  };
}

const person = (id: number, email: string) => ({ id, name: 'Somebody', email, url: `https://x.test/users/${id}.json` });
const JANE = person(1, 'jane@example.com');
const KIM = person(2, 'kim@agents.test');

const ZENDESK = {
  id: 35,
  url: 'https://x.test/tickets/35.json',
  external_id: '0b6f3c1e-7a53-4d58-9a3e-1f0a7b7d9c11',
  due_at: '2026-11-20T10:00:00+01:00',
  priority: 'P1',
  via: { channel: 'email', source: { from: { address: 'kim@agents.test' }, to: { address: 'support@agents.test' } } },
  recipient: 'support@agents.test',
  description: 'Please unsubscribe me, jane@example.com.\n\n-- \nJane, jane.private@example.com',
  requester: { ...JANE, phone: '+44 20 7946 0958', notes: 'Assistant: max@example.com' },
  submitter: KIM,
  assignee: KIM,
  collaborator: [person(3, 'boss@agents.test')],
  follower: [person(4, 'lee@agents.test')],
  comments: [
    { id: 5, author_id: 1, public: true, body: 'Please unsubscribe me, jane@example.com.' },
    { id: 6, author_id: 2, public: false, body: 'See also bob@example.com', author: KIM },
    { id: 7, author_id: 2, public: true, body: 'Done. Questions? billing@agents.test' },
  ],
};

test('of a ticket, only who asks is ticked: nobody who answers, writes on behalf of others, reads along or writes a note', async () => {
  const agents = ['kim', 'support', 'boss', 'lee', 'billing'].map((name) => `${name}@agents.test`);
  const customers = ['jane.private', 'max', 'bob'].map((name) => `${name}@example.com`);
  const others = new Set([...agents, ...customers, '+44 20 7946 0958']);
  for (const documents of [
    [ZENDESK],
    [{ ticket: ZENDESK }],
    [{ tickets: [ZENDESK] }],
    [ZENDESK, { ...ZENDESK, id: 36 }],
  ]) {
    const found = await read(...documents);
    expect(found).toMatchObject({ ticked: ['jane@example.com'], unclear: [] });
    expect(new Set(found.others)).toEqual(others);
  }
});

test('who asks is found by the ID of their record, too', async () => {
  const { requester, assignee, submitter, ...rest } = ZENDESK;
  const ticket = { ...rest, requester_id: requester.id, assignee_id: assignee.id, submitter_id: submitter.id };
  expect(await read({ tickets: [ticket], users: [JANE, KIM] })).toMatchObject({
    ticked: ['jane@example.com'],
    unclear: [],
  });
});

test('of a ticket of Freshdesk', async () => {
  const ticket = {
    cc_emails: ['boss@agents.test'],
    fwd_emails: ['lee@agents.test'],
    reply_cc_emails: ['max@agents.test'],
    to_emails: null,
    id: 20,
    requester_id: 1,
    responder_id: 2,
    description: '<div>Stop, please</div>',
    requester: { ...JANE, mobile: null },
    conversations: [
      { body_text: 'Call bob@example.com', private: true, incoming: false, user_id: 2 },
      { body_text: 'Yes', from_email: 'kim@agents.test', to_emails: ['jane@example.com'], user_id: 2 },
    ],
  };
  expect(await read([ticket])).toEqual({
    ticked: ['jane@example.com'],
    unclear: [],
    others: ['boss@agents.test', 'lee@agents.test', 'max@agents.test', 'bob@example.com', 'kim@agents.test'],
  });
  const webhook = { freshdesk_webhook: { ticket_requester_email: 'jane@example.com', ticket_agent_email: KIM.email } };
  expect(await read(webhook)).toEqual({ ticked: ['jane@example.com'], unclear: [], others: ['kim@agents.test'] });
});

test('who has no email is asked for by phone', async () => {
  const ticket = { requester: { id: 1, phone: '+44 20 7946 0958' }, assignee: KIM };
  expect(await read(ticket)).toMatchObject({ ticked: ['+44 20 7946 0958'], others: ['kim@agents.test'] });
});

test.each([
  ['nobody', { from: 'eve@x.test', description: 'Remove jane@x.test' }, ['eve@x.test', 'jane@x.test']],
  ['one who names another', { requester: JANE, description: 'Remove bob@x.test' }, ['jane@example.com', 'bob@x.test']],
  ['one of us', { requester: { email: 'desk@own.test' }, description: 'Remove bob@x.test' }, ['bob@x.test']],
])('where %s asks, nobody is ticked of those who are named', async (_, ticket, unclear) => {
  const found = await read({ assignee: KIM, ...ticket });
  expect(found).toMatchObject({ unclear, others: ['kim@agents.test'] });
  expect(found.ticked.filter((who) => who !== 'desk@own.test')).toEqual([]);
});

test('other JSON is a list, whatever its keys', async () => {
  expect(await read([{ email: 'jane@example.com', owner: 'bob@example.com' }])).toMatchObject({
    ticked: ['jane@example.com', 'bob@example.com'],
  });
  const deep = `{"assignee":"kim@agents.test","a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
  expect(await read(JSON.parse(deep))).toMatchObject({ ticked: [], others: ['kim@agents.test'] });

  const wide = {
    assignee: 'kim@agents.test',
    requester: 'jane@example.com',
    fields: Array.from({ length: 200_000 }, () => 1),
  };
  expect(await read(wide)).toMatchObject({ ticked: ['jane@example.com'], others: ['kim@agents.test'] });
});
