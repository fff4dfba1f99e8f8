import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { EVENT_RULES_MAX, type EventRule } from '#contract/suppressions/eventRules.ts';
import { isStrongerReason } from '#contract/suppressions/suppression.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { LogAuthor } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import type { Database } from '../../database/database.ts';
import type { Scope } from '../../database/scope.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { type StoredContact } from '../contactRow.ts';
import { changeContact, nothingPending, writePending } from '../changeContact.ts';
import { findContactRow } from '../identities/identities.ts';
import type { ImportedEvent } from './checkEvent.ts';

// Rules by which events unsubscribe their contact. They are JSON in the workspace's row, which every request reads.

type By = { now: number; author: LogAuthor };
type NewRule = Pick<EventRule, 'event_name' | 'condition' | 'reason'>;

/** The rule can't be added to those there are. Nothing was changed. */
export class EventRuleError extends Error {
  override readonly name = 'EventRuleError';
}

/** Oldest first. */
export const rulesIn = (stored: string): EventRule[] => (stored === '' ? [] : (JSON.parse(stored) as EventRule[]));

/** Gives all rules; a repeat changes nothing. Throws an `EventRuleError`. */
export function addEventRule(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  rule: NewRule,
  by: By,
): Promise<EventRule[]> {
  return db.write(workspace, async (scope) => {
    const rules = await readRules(scope);
    const known = rules.find((one) => toKey(one) === toKey(rule));
    if (known?.reason === rule.reason) return rules;
    if (known !== undefined)
      throw new EventRuleError('This event has a rule with another reason. Remove that one first.');
    if (rules.length === EVENT_RULES_MAX)
      throw new EventRuleError(`There are ${EVENT_RULES_MAX} rules. Remove one first.`);
    const added = { uuid: randomUUID(), ...rule, created_at: timestamp(by.now) };
    return storeRules(scope, [...rules, added], 'event_rule_create', rule, by);
  });
}

/** Gives the rules that are left; null if there is no such rule. */
export function removeEventRule(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  uuid: string,
  by: By,
): Promise<EventRule[] | null> {
  return db.write(workspace, async (scope) => {
    const rules = await readRules(scope);
    const removed = rules.find((rule) => rule.uuid === uuid.toLowerCase());
    if (removed === undefined) return null;
    const left = rules.filter((rule) => rule !== removed);
    return storeRules(scope, left, 'event_rule_remove', removed, by);
  });
}

export async function readRules(scope: Scope): Promise<EventRule[]> {
  const { event_rules } = await scope.selectOwn().select('event_rules').executeTakeFirstOrThrow();
  return rulesIn(event_rules);
}

async function storeRules(
  scope: Scope,
  rules: EventRule[],
  action: 'event_rule_create' | 'event_rule_remove',
  { event_name, condition, reason }: NewRule,
  { now, author }: By,
): Promise<EventRule[]> {
  await scope
    .updateOwn()
    .set({ event_rules: rules.length === 0 ? '' : JSON.stringify(rules) })
    .execute();
  const details = { event: event_name, reason, ...condition };
  await writeLog(scope, [{ action, author, details }], now);
  return rules;
}

/** What two rules can't have in common. */
const toKey = ({ event_name, condition }: NewRule) =>
  JSON.stringify([event_name, condition?.attribute, condition?.value.toLowerCase()]);

/** The rules for an event, whenever it happened. */
export const findRules = (
  rules: readonly EventRule[],
  { event_name, attributes }: Pick<ImportedEvent, 'event_name' | 'attributes'>,
): EventRule[] =>
  rules.filter(
    (rule) => rule.event_name === event_name && (rule.condition === null || holds(rule.condition, attributes)),
  );

export function holds({ attribute, value }: { attribute: string; value: string }, attributes: Attributes): boolean {
  const given = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
  return isComparable(given) && String(given).toLowerCase() === value.toLowerCase();
}

export const isComparable = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Unsubscribes the contacts of `events`, which were just stored, by the rules of the workspace. An event from before its rule, or before
 * its contact was last subscribed again, changes nothing.
 */
export async function applyEventRules(
  scope: Scope,
  rules: readonly EventRule[],
  events: readonly ImportedEvent[],
  { now, author }: By,
): Promise<void> {
  const pending = nothingPending();
  const changed = new Map<number, StoredContact>();
  for (const event of events) {
    const at = event.created_at ?? now;
    const rule = findStrongest(findRules(rules, event).filter(({ created_at }) => at >= Date.parse(created_at)));
    if (rule === undefined) continue;
    const found = await findContactRow(scope, event.contact);
    const row = found && (changed.get(found.id) ?? found);
    if (row === null) continue;
    if (at < (await readLastSubscribe(scope, row.uuid))) continue;
    const origin = rule.reason === 'complaint' || rule.reason === 'request' ? 'recipient' : 'program';
    const said = { reason: rule.reason, origin } as const;
    const reason = `Rule for the event ${event.event_name}`;
    const why = { action: 'unsubscribe', author, said, reason } as const;
    changed.set(row.id, await changeContact(scope, row, { subscribed: false }, why, pending, now));
  }
  if (pending.entries.length > 0) await writePending(scope, pending, now);
}

/** The first of those with the strongest reason. */
const findStrongest = ([first, ...others]: readonly EventRule[]): EventRule | undefined =>
  first && others.reduce((best, rule) => (isStrongerReason(rule.reason, best.reason) ? rule : best), first);

/** 0 if it was never subscribed again. */
async function readLastSubscribe(scope: Scope, uuid: string): Promise<number> {
  const [row] = await scope.run(sql<{ at: number }>`
    select created_at as at from changes
    where workspace_id = ${scope.id} and contact_uuid = ${uuid} and contact_number is not null
      and action = 'subscribe'
    order by contact_number desc limit 1`);
  return row?.at ?? 0;
}
