import { randomUUID } from 'node:crypto';
import type { PersonRole } from '#contract/members.ts';
import type { Refusal } from '#contract/session.ts';
import { authorOf, SERVICE } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Person, Workspace } from '../database/workspace.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { listWorkspaces } from '../workspaces/store.ts';
import {
  aboutMember,
  changeRole,
  deleteMember,
  emailKey,
  isSameEmail,
  keysOf,
  type MemberRow,
  newMember,
} from './members.ts';

/** An account as its provider describes it. */
export type Account = {
  issuer: string;
  subject: string;
  /** The address, where the provider says that it is verified; else empty. */
  email: string;
  /** The same, verified or not. Only tells somebody that an invitation to it waits. */
  claimedEmail: string;
  name: string | null;
  /** The role that its groups have in a workspace; null for none. */
  roleIn: (workspaceUuid: string) => PersonRole | null;
};

/** Nobody is let in who is neither invited nor in a group with a role. */
type AdmissionRefusal = Extract<Refusal, 'not_invited' | 'email_not_verified' | 'suspended'>;

/** Somebody who was let in, and the workspaces that they are members of. */
export type Admitted = { person: Person; workspaces: Workspace[] };

/** `uuid` is null for somebody who was never let in. */
type Admission = Admitted | { refusal: AdmissionRefusal; uuid: string | null; workspaces: Workspace[] };

type Occasion = {
  now: number;
  /** Null where it is not asked for by a person. */
  requestId: string | null;
};

/**
 * Lets an account in, and makes its memberships what its invitations and groups say now. An invitation to its verified address is taken by
 * the first account that has it, and counts before groups. Refused, it gives the workspaces that it has to do with.
 */
export async function admit(db: Database, account: Account, occasion: Occasion): Promise<Admission> {
  const known = await findPerson(db, account);
  const workspaces = await findWorkspaces(db, account, known?.uuid ?? null);
  const isIn = workspaces.some(({ place, workspace }) => place === 'in' && !workspace.suspended);
  const uuid = isIn ? await storePerson(db, account, occasion.now) : known?.uuid;
  if (uuid !== undefined) {
    const person = { uuid, name: account.name, email: account.email, subject: account.subject };
    const joined: Workspace[] = [];
    for (const { workspace } of workspaces) {
      const isMember = await db.write(workspace, (scope) => syncMember(scope, account, person, { ...occasion, isIn }));
      if (isMember) joined.push(workspace);
    }
    if (isIn) return { person, workspaces: joined };
  }
  const at = (place: Place) => workspaces.flatMap((one) => (one.place === place ? [one.workspace] : []));
  const refused = (refusal: AdmissionRefusal, place: Place) => ({ refusal, uuid: uuid ?? null, workspaces: at(place) });
  if (at('in').length > 0) return refused('suspended', 'in');
  if (at('unverified').length > 0) return refused('email_not_verified', 'unverified');
  return refused('not_invited', 'out');
}

/** What an account is to a workspace: in it, invited to it by an address that is not verified, or a member until now. */
type Place = 'in' | 'unverified' | 'out';

/** The workspaces that an account has to do with. */
async function findWorkspaces(
  db: Database,
  { email, claimedEmail, roleIn }: Account,
  personUuid: string | null,
): Promise<{ workspace: Workspace; place: Place }[]> {
  const alike = await db.unscoped.read((trx) =>
    trx
      .selectFrom('members')
      .select(['workspace_id', 'person_uuid', 'source', 'email'])
      .where((row) =>
        row.or([
          row('person_uuid', '=', personUuid ?? ''),
          row.and([row('email_key', '=', emailKey(claimedEmail)), row('person_uuid', 'is', null)]),
        ]),
      )
      .execute(),
  );
  const rows = alike.filter((row) => row.person_uuid !== null || isSameEmail(row.email, claimedEmail));
  return (await listWorkspaces(db)).flatMap((workspace): { workspace: Workspace; place: Place }[] => {
    const own = rows.filter((row) => row.workspace_id === workspace.id);
    const isInvited = own.some((row) => row.source === 'invited' && (row.person_uuid !== null || email !== ''));
    if (isInvited || roleIn(workspace.uuid) !== null) return [{ workspace, place: 'in' }];
    if (own.length === 0) return [];
    return [{ workspace, place: own.every((row) => row.person_uuid === null) ? 'unverified' : 'out' }];
  });
}

type SyncContext = Occasion & { isIn: boolean };

/** Makes the member of one workspace what the account says, in the transaction of `scope`. False where it is none from then on. */
async function syncMember(
  scope: Scope,
  account: Account,
  person: Person,
  { now, requestId, isIn }: SyncContext,
): Promise<boolean> {
  const groupRole = account.roleIn(scope.workspace.uuid);
  const profile = { name: account.name, email: account.email, ...keysOf(account) };
  const own = await scope.select('members').selectAll().where('person_uuid', '=', person.uuid).executeTakeFirst();
  if (own !== undefined) {
    await scope.update('members').set(profile).where('uuid', '=', own.uuid).execute();
    if (own.source === 'group' && groupRole === null) {
      await deleteMember(scope, own, SERVICE, now);
      return false;
    }
    if (own.source === 'group' && groupRole !== null && groupRole !== own.role)
      await changeRole(scope, own, groupRole, SERVICE, now);
    return true;
  }
  const joined = isIn ? await join(scope, account, person, now) : null;
  if (joined === null) return false;
  const author = authorOf({ person, requestId });
  await writeLog(scope, [{ action: 'member_join', author, details: aboutMember(joined) }], now);
  return true;
}

/** Takes the invitation, or adds a member by the groups; null where there is neither. */
async function join(scope: Scope, account: Account, { uuid }: Person, now: number): Promise<MemberRow | null> {
  const { name, email, roleIn } = account;
  const invitations = await scope
    .select('members')
    .selectAll()
    .where('email_key', '=', emailKey(email))
    .where('person_uuid', 'is', null)
    .execute();
  const invitation = invitations.find((row) => isSameEmail(row.email, email));
  if (invitation !== undefined) {
    const taken = { person_uuid: uuid, name, email, ...keysOf(account) };
    await scope.update('members').set(taken).where('uuid', '=', invitation.uuid).execute();
    return { ...invitation, ...taken };
  }
  const role = roleIn(scope.workspace.uuid);
  if (role === null) return null;
  const row = newMember({ name, email, role, source: 'group', person_uuid: uuid, last_seen_at: null }, now);
  await scope.insert('members', row).execute();
  return row;
}

async function findPerson(db: Database, { issuer, subject }: Account): Promise<{ uuid: string } | null> {
  const row = await db.unscoped.kysely
    .selectFrom('people')
    .select('uuid')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row ?? null;
}

async function storePerson(db: Database, { issuer, subject, email, name }: Account, now: number): Promise<string> {
  const { uuid } = await db.unscoped.write((trx) =>
    trx
      .insertInto('people')
      .values({ uuid: randomUUID(), issuer, subject, email, name, created_at: now })
      .onConflict((taken) => taken.columns(['issuer', 'subject']).doUpdateSet({ email, name }))
      .returning('uuid')
      .executeTakeFirstOrThrow(),
  );
  return uuid;
}
