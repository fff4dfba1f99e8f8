import { expect, test } from 'vitest';
import type { PersonRole } from '#contract/members.ts';
import { must } from '#contract/values/must.ts';
import { inviteMember } from '../../members/members.ts';
import { detailOf, newPerson, signInAs, testAccount, TestPlace } from '../../testing/testPeople.ts';
import { deleteWorkspace } from '../../workspaces/deleteWorkspace.ts';
import { createWorkspace } from '../../workspaces/store.ts';

const place = new TestPlace();

test('deleting a workspace signs out people who are members of no other, and deletes them', async () => {
  const { service, workspace, session } = place;
  const { database, clock } = service;
  const other = await createWorkspace(database, { name: 'Other', identity_field: null }, 0);
  const invite = (to: typeof other, role: PersonRole) =>
    inviteMember(to, database, { email: 'both@example.com', role }, clock.now);
  await invite(workspace, 'admin');
  await invite(other, 'support');
  const both = must(await signInAs(service, testAccount('both@example.com')));
  const only = await newPerson(service, workspace, 'admin', 'only@example.com');
  const others = await newPerson(service, other, 'read', 'others@example.com');
  expect(await session(only)).toMatchObject({ person: { email: 'only@example.com' } });

  await deleteWorkspace(workspace, database, () => {});

  expect(await detailOf(await place.call('/session', only))).toEqual([
    401,
    'No session, or it has ended. Sign in again.',
  ]);
  expect(await session(both)).toMatchObject({
    person: { email: 'both@example.com' },
    workspaces: [{ uuid: other.uuid, role: 'support' }],
  });
  expect(await session(others)).toMatchObject({ person: { email: 'others@example.com' } });
  const { kysely } = database.unscoped;
  const people = await kysely.selectFrom('people').select('uuid').execute();
  const sessions = await kysely.selectFrom('sessions').select('person_uuid').execute();
  expect(people).toHaveLength(2);
  expect(new Set(sessions.map(({ person_uuid }) => person_uuid))).toEqual(new Set(people.map(({ uuid }) => uuid)));
});
