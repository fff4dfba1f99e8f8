import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';

/** Counts the rows of the lists of `workspace`, and gives one sentence for each stored total that differs. */
export async function checkListTotals(workspace: Workspace, db: Database): Promise<string[]> {
  // The addresses of all domains at once: where one domain has most of them, PostgreSQL would read all of them for each domain.
  const rows = await db.read(workspace, (scope) => {
    const { id } = scope;
    return scope.run(sql<{ what: string; counted: number; stored: number }>`
      select * from (
        select 'contacts' as what, (select count(*) from contacts where workspace_id = ${id}) as counted,
          contact_count as stored
        from workspaces where id = ${id}
        union all
        select 'subscribed contacts', (select count(*) from contacts where workspace_id = ${id} and subscribed = 1),
          subscribed_count
        from workspaces where id = ${id}
        union all
        select 'domains', (select count(*) from domains where workspace_id = ${id}), domain_count
        from workspaces where id = ${id}
        union all
        select 'pending domains', (select count(*) from domains where workspace_id = ${id} and state = 'pending'),
          pending_domain_count
        from workspaces where id = ${id}
        union all
        select 'failing domains', (select count(*) from domains where workspace_id = ${id} and state = 'failing'),
          failing_domain_count
        from workspaces where id = ${id}
        union all
        select 'addresses of the domain ' || uuid, coalesce(found, 0), address_count
        from domains left join (
          select domain_uuid, count(*) as found from addresses where workspace_id = ${id} group by domain_uuid
        ) as of_domains on domain_uuid = uuid
        where workspace_id = ${id}
      ) as lists
      where counted <> stored order by what`);
  });
  return rows.map(({ what, counted, stored }) => `The ${what} are ${counted}, and ${stored} are counted.`);
}

/** A new contact gets the next id, which no contact may have or have had. */
export async function checkNextContactId(workspace: Workspace, db: Database): Promise<string[]> {
  const { next, last } = await db.read(workspace, async (scope) => {
    const { next_contact_id } = await scope.selectOwn().select('next_contact_id').executeTakeFirstOrThrow();
    const contacts = scope.select('contacts').select(({ fn }) => fn.max<number | null>('id').as('last'));
    const erased = scope.select('erasures').select(({ fn }) => fn.max<number | null>('contact_id').as('last'));
    const ids = [await contacts.executeTakeFirstOrThrow(), await erased.executeTakeFirstOrThrow()];
    return { next: next_contact_id, last: Math.max(...ids.map((id) => id.last ?? 0)) };
  });
  return next > last ? [] : [`A new contact would get the id ${next}, and ids up to ${last} are taken.`];
}
