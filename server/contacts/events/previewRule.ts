import { sql } from 'kysely';
import { type EventRule, EXAMINED_MAX, NAMED_MAX, type RulePreview } from '#contract/suppressions/eventRules.ts';
import { must } from '#contract/values/must.ts';
import type { Database } from '../../database/database.ts';
import { ITERATION_PAGE_SIZE, iteratePages } from '../../database/paging/iteratePages.ts';
import type { Scope } from '../../database/scope.ts';
import type { Workspace } from '../../database/workspace.ts';
import { parseAttributes } from '../contactRow.ts';
import { holds, isComparable } from './eventRules.ts';

/** Characters of a value that is named. */
const VALUE_MAX = 100;

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
        ? { contacts: await countContacts(scope, event_name), is_complete: true, attributes: [], values: [] }
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
  const names = new Set<string>();
  const values = new Map<string, number>();
  let examined = 0;
  for await (const { contact_id, attributes } of rows) {
    if (++examined > EXAMINED_MAX) break;
    const given = parseAttributes(attributes) ?? {};
    if (holds(condition, given)) found.add(contact_id);
    for (const [name, value] of Object.entries(given)) {
      if (!isComparable(value)) continue;
      names.add(name);
      const text = String(value);
      if (name === condition.attribute && text.length <= VALUE_MAX) values.set(text, (values.get(text) ?? 0) + 1);
    }
  }
  const counted = { contacts: found.size, is_complete: examined <= EXAMINED_MAX };
  if (found.size > 0) return { ...counted, attributes: [], values: [] };
  const frequent = [...values].toSorted(([, one], [, other]) => other - one).map(([text]) => text);
  const asked = names.has(condition.attribute) ? [condition.attribute] : [];
  const attributes = [...new Set([...asked, ...[...names].toSorted()])].slice(0, NAMED_MAX);
  return { ...counted, attributes, values: frequent.slice(0, NAMED_MAX) };
}
