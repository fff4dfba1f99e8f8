import { randomUUID } from 'node:crypto';
import type { PersonRole } from '#contract/people.ts';
import { authorOf } from '../database/author.ts';
import { type Account, admit } from '../people/admit.ts';
import { inviteMember } from '../people/members.ts';
import { openPersonSession } from '../sessions/store.ts';
import type { Workspace } from '../database/workspace.ts';
import type { TestService } from './testService.ts';

export const CONSOLE = { 'sendroom-console': '1' };

/** An account with a verified address and without groups. */
export function testAccount(email: string, more: Partial<Account> = {}): Account {
  const issuer = 'https://accounts.example.com';
  return { issuer, subject: email, email, claimedEmail: email, name: null, roleIn: () => null, ...more };
}

/** Signs in with an account, without its provider. Gives the headers of the console from then on; null where it is refused. */
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

/** Invites somebody who does not exist and signs in as them. */
export async function newPerson(
  service: Pick<TestService, 'database' | 'clock'>,
  workspace: Workspace,
  role: PersonRole,
  email = `${randomUUID()}@example.com`,
): Promise<Record<string, string>> {
  await inviteMember(workspace, service.database, { email, role }, service.clock.now);
  return (await signInAs(service, testAccount(email))) ?? {};
}
