import { expect, test } from 'vitest';
import { groupChanges } from './groupChanges.ts';

type Given = {
  actor?: string;
  kind?: 'token' | 'person';
  action?: string;
  run?: string;
  contact?: string;
  day?: number;
};

/** Newest first. */
const group = (...given: (Given & { fields?: string[] })[]) =>
  groupChanges(
    given.map(
      ({ actor = 'crm', kind = 'token', action = 'update', run, contact = 'ann', day = 1, fields = [] }, at) => ({
        number: 100 - at,
        created_at: 1000 - at,
        actor_kind: kind,
        actor,
        actor_name: actor,
        actor_email: null,
        action,
        run: run ?? null,
        contact,
        day,
        fields,
      }),
    ),
  ).map(({ newest, count, contacts, fields }) => [newest.actor, newest.action, count, contacts.size, fields.join(' ')]);

test('the edits of a program are one group, with all their fields and contacts', () => {
  expect(
    group({ fields: ['plan'] }, { contact: 'bea', fields: ['seats', 'plan'] }, { fields: ['city'] }, { actor: 'shop' }),
  ).toEqual([
    ['crm', 'update', 3, 2, 'plan seats city'],
    ['shop', 'update', 1, 1, ''],
  ]);
});

test('days, actions and lists are apart; a list is one group also past midnight', () => {
  expect(
    group(
      { day: 2 },
      { day: 1 },
      { action: 'unsubscribe' },
      { action: 'unsubscribe', run: 'r1', contact: 'a', day: 2 },
      { action: 'unsubscribe', run: 'r1', contact: 'b', day: 1 },
      { action: 'unsubscribe', run: 'r2', contact: 'c' },
    ),
  ).toEqual([
    ['crm', 'unsubscribe', 2, 2, ''],
    ['crm', 'unsubscribe', 1, 1, ''],
    ['crm', 'update', 1, 1, ''],
    ['crm', 'update', 1, 1, ''],
    ['crm', 'unsubscribe', 1, 1, ''],
  ]);
});

test('what people and their lists did is before what programs did, each newest first', () => {
  const actors = group(
    { actor: 'crm' },
    { actor: 'jane', kind: 'person' },
    { actor: 'shop' },
    { actor: 'demo', run: 'r1' },
    { actor: 'joe', kind: 'person' },
  ).map(([actor]) => actor);
  expect(actors).toEqual(['jane', 'demo', 'joe', 'crm', 'shop']);
});
