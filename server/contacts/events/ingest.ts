import { setImmediate } from 'node:timers/promises';
import { must } from '#contract/values/must.ts';
import { type EventOutcome, type NewEvent, NewEventOfContact } from '#contract/ingest.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { FieldError } from '#contract/list.ts';
import type * as z from 'zod/mini';
import { chunks } from '../../database/chunks.ts';
import type { Database } from '../../database/database.ts';
import type { ImportOutcome } from '../../database/importOutcome.ts';
import { parseInstant } from '#contract/values/instant.ts';
import { authorOf } from '../../database/changeLog/author.ts';
import type { Caller, Workspace } from '../../database/workspace.ts';
import { JsonLine, readBody, readJsonText } from '../../http/body/jsonBody.ts';
import { addEvent } from './addEvent.ts';
import type { ImportedEvent } from './checkEvent.ts';
import { applyEventRules, findRules, rulesIn } from './eventRules.ts';
import { EventTakenError, InvalidEventError } from '../contactErrors.ts';
import { NO_CONTACT, OTHERS_EVENT, putEvents } from './putEvents.ts';

// Events that programs send (contract/ingest.ts).

/** Events in one transaction. On a file it holds the event loop, for some milliseconds. */
const CHUNK_SIZE = 100;

type Writer = Pick<Database, 'write'>;

/**
 * Whether the event was recorded now: false where it is recorded already, null when there is no such contact. Throws
 * `InvalidEventError` and `EventTakenError`.
 */
export async function recordEvent(
  workspace: Workspace,
  db: Writer,
  contact: string,
  event: z.infer<typeof NewEvent>,
  caller: Caller,
  now: number,
): Promise<boolean | null> {
  const row = toImportedEvent({ ...event, contact });
  if (Array.isArray(row)) throw new InvalidEventError(row);
  const isRuled = findRules(rulesIn(workspace.event_rules), row).length > 0;
  if (!isRuled && (await db.write(workspace, (scope) => addEvent(scope, row, now), { isSingle: true }))) return true;
  const outcome = must((await putRuledEvents(workspace, db, [row], caller, now))[0]);
  if (!Array.isArray(outcome)) return outcome === 'added';
  if (outcome.includes(NO_CONTACT)) return null;
  throw outcome.includes(OTHERS_EVENT) ? new EventTakenError(OTHERS_EVENT) : new InvalidEventError(outcome);
}

/**
 * Gives an outcome for each of `values`, in their order; those of lines have their numbers. They are written in several
 * transactions, so that others come between.
 */
export async function recordEvents(
  workspace: Workspace,
  db: Writer,
  values: readonly unknown[],
  caller: Caller,
  now: number,
): Promise<EventOutcome[]> {
  const outcomes: EventOutcome[] = [];
  for (const chunk of chunks(values, CHUNK_SIZE)) {
    // A file is written to without a pause.
    if (outcomes.length > 0) await setImmediate();
    const read = chunk.map(readEvent);
    const events = read.flatMap((event) => (Array.isArray(event) ? [] : [event]));
    const written = (await putRuledEvents(workspace, db, events, caller, now)).values();
    for (const [index, event] of read.entries()) {
      const outcome = toOutcome(Array.isArray(event) ? event : (written.next().value as ImportOutcome));
      const value = chunk[index];
      outcomes.push(value instanceof JsonLine ? { ...outcome, line: value.number } : outcome);
    }
  }
  return outcomes;
}

/** Also unsubscribes contacts by the rules of the workspace, in the same transaction. */
function putRuledEvents(
  workspace: Workspace,
  db: Writer,
  events: readonly ImportedEvent[],
  caller: Caller,
  now: number,
): Promise<ImportOutcome[]> {
  const rules = rulesIn(workspace.event_rules);
  return db.write(workspace, async (scope) => {
    const outcomes = await putEvents(scope, events, now);
    const added = rules.length === 0 ? [] : events.filter((_, at) => outcomes[at] === 'added');
    await applyEventRules(scope, rules, added, { now, author: authorOf({ ...caller, run: null }) });
    return outcomes;
  });
}

function toOutcome(outcome: ImportOutcome): EventOutcome {
  if (Array.isArray(outcome)) return { outcome: 'refused', errors: outcome };
  return { outcome: outcome === 'added' ? 'recorded' : 'unchanged' };
}

/** The errors of an event that cannot be recorded. */
function readEvent(value: unknown): ImportedEvent | FieldError[] {
  if (value instanceof JsonLine && value.error !== null) return [{ field: '', message: value.error }];
  const read = readBody(NewEventOfContact, value instanceof JsonLine ? value.value : value);
  if ('errors' in read) return read.errors;
  if (read.data.uuid === undefined && read.data.created_at === undefined) {
    return [{ field: '', message: 'It needs a uuid or a created_at: without both a repeat would record it again.' }];
  }
  return toImportedEvent(read.data);
}

/** The errors of an event whose time or attributes cannot be read. */
function toImportedEvent(event: z.infer<typeof NewEventOfContact>): ImportedEvent | FieldError[] {
  const { contact, uuid, event_name, created_at } = event;
  const attributes = readEventAttributes(event.attributes);
  if (typeof attributes === 'string') return [{ field: 'attributes', message: attributes }];
  const row = { contact, event_name, attributes, ...(uuid !== undefined && { uuid }) };
  if (created_at === undefined) return row;
  const time = parseInstant(created_at);
  if (time !== null) return { ...row, created_at: time };
  const message = 'created_at is no time with its zone, as in 2026-01-31T09:30:00Z.';
  return [{ field: 'created_at', message }];
}

/** What is wrong with a text that is no JSON object. */
function readEventAttributes(given: Attributes | string = {}): Attributes | string {
  if (typeof given !== 'string') return given;
  const read = readJsonText(given);
  if (typeof read === 'string') return `The text in attributes ${read}`;
  const isObject = typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value);
  return isObject ? (read.value as Attributes) : 'attributes must be a JSON object, or the text of one.';
}
