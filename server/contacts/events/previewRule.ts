import { sql } from 'kysely';
import { type EventRule, EXAMINED_MAX, type RulePreview } from '#contract/suppressions/eventRules.ts';
import { must } from '#contract/values/must.ts';
import type { Database } from '../../database/database.ts';
import { ITERATION_PAGE_SIZE, iteratePages } from '../../database/paging/iteratePages.ts';
import type { Scope } from '../../database/scope.ts';
import type { Workspace } from '../../database/workspace.ts';
import { parseAttributes } from '../contactRow.ts';
import { holds } from './eventRules.ts';

type PreviewedRule = Pick<EventRule, 'event_name' | 'condition'>;

/** Which subscribed contacts had an event of the rule until now. */
export function previewRule(
  workspace: Workspace,
  db: Database,
  { event_name, condition }: PreviewedRule,
): Promise<RulePreview> {
  return db.read(
    workspace,
    async (scope) => {
      return condition === null
        ? { contacts: await countContacts(scope, event_name), is_complete: true }
        : examineEvents(scope, event_name, condition);
    },
    { isLong: true },
  );
}

const ofSubscribed = (scope: Scope, name: string) => sql`
  event_names join contacts on contacts.workspace_id = event_names.workspace_id and contacts.id = event_names.contact_id
    and contacts.subscribed = 1 and event_names.workspace_id = ${scope.id} and event_names.event_name = ${name}`;

async function countContacts(scope: Scope, name: string): Promise<number> {
  const rows = await scope.run(
    sql<{ contacts: number }>`select count(*) as contacts from ${ofSubscribed(scope, name)}`,
  );
  return must(rows[0]).contacts;
}

type EventRow = { contact_id: number; created_at: number; uuid: string; attributes: string };

async function examineEvents(
  scope: Scope,
  name: string,
  condition: NonNullable<EventRule['condition']>,
): Promise<RulePreview> {
  const rows = iteratePages((last: EventRow | null) =>
    scope.run(sql<EventRow>`
      select events.contact_id, events.created_at, events.uuid, events.attributes
      from ${ofSubscribed(scope, name)} join events on events.workspace_id = ${scope.id}
        and events.contact_id = event_names.contact_id and events.event_name = ${name}
      where event_names.contact_id >= ${last?.contact_id ?? 0}
        and (events.contact_id, events.created_at, events.uuid)
          > (${last?.contact_id ?? 0}, ${last?.created_at ?? 0}, ${last?.uuid ?? ''})
      order by events.contact_id, events.created_at, events.uuid limit ${sql.lit(ITERATION_PAGE_SIZE)}`),
  );
  const found = new Set<number>();
  let examined = 0;
  for await (const { contact_id, attributes } of rows) {
    if (++examined > EXAMINED_MAX) return { contacts: found.size, is_complete: false };
    if (holds(condition, parseAttributes(attributes) ?? {})) found.add(contact_id);
  }
  return { contacts: found.size, is_complete: true };
}
