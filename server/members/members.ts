import { randomUUID } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import type { CheckedListQuery, Page } from '#contract/list.ts';
import type { Member, PersonRole, Token } from '#contract/members.ts';
import { COMMAND, type LogAuthor } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { countMatchingRows, type ListSource, orderOf, readPage } from '../database/paging/listPage.ts';
import type { Scope } from '../database/scope.ts';
import type { FoldedColumns } from '../database/schema/derived.ts';
import type { Tables } from '../database/schema/tables.ts';
import { containsWords, foldSearch, foldText, parseSearch, searchKey, sortKey } from '../database/search/textSearch.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { listTokensCreatedBy } from '../workspaces/createdTokens.ts';
import { removeOwnViews } from '../workspaces/removeOwnViews.ts';
import { revokeLinksOf } from '../workspaces/revokeLinks.ts';

export type MemberRow = Omit<Tables['members'], 'workspace_id'>;

/** What nobody may do to a member: `lastAdmin` to the last admin who can sign in, by a person; `byGroup` to one whose role a group says. */
export type MemberRefusal = 'unknown' | 'lastAdmin' | 'byGroup';

/** The members of `workspace`, newest first unless asked for otherwise. */
export function listMembers(workspace: Workspace, db: Database, query: CheckedListQuery): Promise<Page<Member>> {
  // Without indexes: a workspace has at most some hundred members.
  return db.read(
    workspace,
    async (scope) => {
      const within = sql<SqlBool>`workspace_id = ${scope.id}`;
      const { size } = await scope
        .select('members')
        .select(({ fn }) => fn.countAll<number>().as('size'))
        .executeTakeFirstOrThrow();
      const list: ListSource<'members'> = { table: 'members', key: 'uuid', within, size };
      const words = parseSearch(query.search);
      if (words.length > 0)
        list.matching = await countMatchingRows(scope, list, containsWords<'members'>('search_key', words));
      const order = orderOf(query, (id) => SORTED[id] ?? sql.ref(id));
      return readPage(scope, list, order, query, (rows) => rows.map(memberOf));
    },
    { isLong: true },
  );
}

const SORTED: Readonly<Record<string, ReturnType<typeof sql>>> = {
  email: sql.ref('email_key'),
  // Null is sorted as before all times, which engines do differently.
  last_seen_at: sql`coalesce(last_seen_at, -1)`,
};

/** All members, oldest first, for the command. */
export function readAllMembers(workspace: Workspace, db: Database): Promise<Member[]> {
  return db.read(workspace, async (scope) => {
    const rows = await scope.select('members').selectAll().orderBy('created_at').orderBy('uuid').execute();
    return rows.map(memberOf);
  });
}

/** Admits the person who signs in with the verified address `email`. Null if a member has it. */
export function inviteMember(
  workspace: Workspace,
  db: Database,
  { email, role }: { email: string; role: PersonRole },
  now: number,
  author: LogAuthor = COMMAND,
): Promise<Member | null> {
  return db.write(workspace, async (scope) => {
    const alike = await scope.select('members').select('email').where('email_key', '=', emailKey(email)).execute();
    if (alike.some((row) => isSameEmail(row.email, email))) return null;
    const row = newMember({ email, role, source: 'invited', name: null, person_uuid: null, last_seen_at: null }, now);
    await scope.insert('members', row).execute();
    await writeLog(scope, [{ action: 'member_invite', author, details: aboutMember(row) }], now);
    return memberOf(row);
  });
}

type ByWhom = { now: number; author?: LogAuthor };

/** Changes the role, from the next request on. */
export function updateMember(
  workspace: Workspace,
  db: Database,
  uuid: string,
  role: PersonRole,
  { now, author = COMMAND }: ByWhom,
): Promise<Member | MemberRefusal> {
  return db.write(workspace, async (scope) => {
    const row = await findMember(scope, uuid);
    if (row === null) return 'unknown';
    if (row.role === role) return memberOf(row);
    if (row.source === 'group') return 'byGroup';
    if (author.actor.kind === 'person' && (await isLastAdmin(scope, row))) return 'lastAdmin';
    await changeRole(scope, row, role, author, now);
    return memberOf({ ...row, role });
  });
}

/** Who was removed, and the accepted tokens that they created: they may know their secrets. */
type Removal = { member: Member; tokens: Token[] };

/** Removes a member, from the next request on. */
export async function removeMember(
  workspace: Workspace,
  db: Database,
  uuid: string,
  { now, author = COMMAND }: ByWhom,
): Promise<Removal | MemberRefusal> {
  const row = await db.write(workspace, async (scope) => {
    const row = await findMember(scope, uuid);
    if (row === null) return 'unknown';
    if (author.actor.kind === 'person' && (await isLastAdmin(scope, row))) return 'lastAdmin';
    await deleteMember(scope, row, author, now);
    return row;
  });
  if (typeof row === 'string') return row;
  const { person_uuid: person } = row;
  return {
    member: memberOf(row),
    tokens: person === null ? [] : await listTokensCreatedBy(workspace, db, person, now),
  };
}

/** Whether no admin is left who has signed in. */
export function lacksAdmin(workspace: Workspace, db: Database): Promise<boolean> {
  return db.read(workspace, async (scope) => (await countAdmins(scope)) === 0);
}

/** In the transaction of `scope`, with a line in the log. */
export async function changeRole(
  scope: Scope,
  row: MemberRow,
  role: PersonRole,
  author: LogAuthor,
  now: number,
): Promise<void> {
  await scope.update('members').set({ role }).where('uuid', '=', row.uuid).execute();
  const details = { ...aboutMember({ ...row, role }), before: row.role };
  await writeLog(scope, [{ action: 'member_role', author, details }], now);
}

/** In the transaction of `scope`, with a line in the log. */
export async function deleteMember(scope: Scope, row: MemberRow, author: LogAuthor, now: number): Promise<void> {
  await scope.delete('members').where('uuid', '=', row.uuid).execute();
  await writeLog(scope, [{ action: 'member_remove', author, details: aboutMember(row) }], now);
  if (row.person_uuid === null) return;
  await revokeLinksOf(scope, row.person_uuid, author, now);
  await removeOwnViews(scope, row.person_uuid);
}

type NewMember = Pick<MemberRow, 'email' | 'name' | 'role' | 'source' | 'person_uuid' | 'last_seen_at'>;

export const newMember = (member: NewMember, now: number): MemberRow => ({
  uuid: randomUUID(),
  ...member,
  ...keysOf(member),
  created_at: now,
});

/** The folded columns by which members are found. */
export const keysOf = ({ email, name }: Pick<MemberRow, 'email' | 'name'>) => ({
  email_key: emailKey(email),
  search_key: searchKey(foldSearch(`${email}\n${name ?? ''}`)),
});

export const MEMBER_KEYS: FoldedColumns = {
  table: 'members',
  columns: ['email_key', 'search_key'],
  from: ['email', 'name'],
  fold: (_, rows) => (rows as unknown as MemberRow[]).map(keysOf),
};

/** Email addresses are found and sorted by this, which is only the beginning of a long one. */
export const emailKey = (email: string): string => sortKey(foldEmail(email));

/**
 * Whether two addresses are the same in letter case, of which an account takes an invitation. A character that only folding makes one of
 * ASCII (U+212A, full width) is that of another address, which somebody else may have.
 */
export const isSameEmail = (one: string, other: string): boolean =>
  one === other || (foldEmail(one) === foldEmail(other) && !hasLookAlike(one) && !hasLookAlike(other));

const hasLookAlike = (email: string): boolean =>
  Array.from(email).some((character) => !isAscii(character) && isAscii(foldText(character.normalize('NFKC'))));
const isAscii = (text: string): boolean => /^\p{ASCII}+$/u.test(text);

const foldEmail = (email: string): string => foldText(email.trim().normalize());

/** What the log says about a member; the name only where there is no address. */
export const aboutMember = ({ uuid, email, name, role }: Pick<MemberRow, 'uuid' | 'email' | 'name' | 'role'>) => ({
  member: uuid,
  email,
  role,
  ...(email === '' && name !== null && { name }),
});

async function findMember(scope: Scope, uuid: string): Promise<MemberRow | null> {
  const row = await scope.select('members').selectAll().where('uuid', '=', uuid.toLowerCase()).executeTakeFirst();
  return row ?? null;
}

/** An invitation that nobody has taken is no admin: it may name an address that nobody has. */
async function isLastAdmin(scope: Scope, { role, person_uuid }: MemberRow): Promise<boolean> {
  return role === 'admin' && person_uuid !== null && (await countAdmins(scope)) === 1;
}

async function countAdmins(scope: Scope): Promise<number> {
  const { count } = await scope
    .select('members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('role', '=', 'admin')
    .where('person_uuid', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

function memberOf({ uuid, email, name, role, source, created_at, last_seen_at }: MemberRow): Member {
  return {
    uuid,
    email,
    name,
    role,
    source,
    created_at: timestamp(created_at),
    last_seen_at: last_seen_at === null ? null : timestamp(last_seen_at),
  };
}
