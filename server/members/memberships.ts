import { sql } from 'kysely';
import type { PersonRole } from '#contract/members.ts';
import type { Database } from '../database/database.ts';
import { defineStatement } from '../database/statement.ts';
import type { Tables, WorkspaceId } from '../database/schema/tables.ts';
import type { Person, Workspace } from '../database/workspace.ts';

/** A workspace that a person may be in, and what they may do there. */
export type Membership = {
  workspace: Workspace;
  role: PersonRole;
  /** The UUID of the member. */
  uuid: string;
  last_seen_at: number | null;
};

type MembershipRow = Pick<Tables['members'], 'role' | 'last_seen_at'> & {
  member_uuid: string;
  id: WorkspaceId;
  uuid: string;
  name: string;
  identity_field: string | null;
  event_rules: string;
  person_name: string | null;
  person_email: string;
  subject: string;
};

const membershipsOf = defineStatement(
  (personUuid: string) => sql<MembershipRow>`
    select members.uuid as member_uuid, members.role as role, members.last_seen_at as last_seen_at, workspaces.id as id,
      workspaces.uuid as uuid, workspaces.name as name, workspaces.identity_field as identity_field,
      workspaces.event_rules as event_rules,
      people.name as person_name, people.email as person_email, people.subject as subject
    from people
    join members on members.person_uuid = people.uuid
    join workspaces on members.workspace_id = workspaces.id
    where people.uuid = ${personUuid} and workspaces.suspended = 0`,
);

/** A person and their workspaces that are not suspended, by name. The person is null where they have none. */
export async function readPerson(
  db: Database,
  uuid: string,
): Promise<{ person: Person | null; memberships: Membership[] }> {
  const rows = await membershipsOf(db.unscoped.kysely, uuid);
  const memberships = rows
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.id - other.id)
    .map((row) => ({
      workspace: {
        id: row.id,
        uuid: row.uuid,
        name: row.name,
        identity_field: row.identity_field,
        suspended: false,
        moved_to: null,
        event_rules: row.event_rules,
      },
      role: row.role,
      uuid: row.member_uuid,
      last_seen_at: row.last_seen_at,
    }));
  const [first] = rows;
  const person = first && { uuid, name: first.person_name, email: first.person_email, subject: first.subject };
  return { person: person ?? null, memberships };
}
