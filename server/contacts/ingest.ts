import { setImmediate } from 'node:timers/promises';
import { must } from '#contract/must.ts';
import { EVENTS_MAX, type EventOutcome, NewEvent, NewEventOfContact } from '#contract/ingest.ts';
import type { FieldError } from '#contract/list.ts';
import type * as z from 'zod/mini';
import { chunks } from '../database/chunks.ts';
import type { Database } from '../database/database.ts';
import type { ImportOutcome } from '../database/importOutcome.ts';
import { parseInstant } from '../database/instant.ts';
import type { Workspace } from '../database/workspace.ts';
import { JsonLine, validateBody } from '../http/jsonBody.ts';
import { ProblemError, validationProblem } from '../http/problems.ts';
import { addEvent } from './addEvent.ts';
import type { ImportedEvent } from './checkEvent.ts';
import { NO_CONTACT, OTHERS_EVENT, putEvents } from './putEvents.ts';

// Events that programs send (contract/ingest.ts).

/** Events in one transaction. On a file it holds the event loop, for some milliseconds. */
const CHUNK_SIZE = 200;

type Writer = Pick<Database, 'write' | 'writeFew'>;

/** Whether the event was recorded now; false where it is recorded already. Throws a `ProblemError`. */
export async function recordEvent(
  workspace: Workspace,
  db: Writer,
  contact: string,
  event: z.infer<typeof NewEvent>,
  now: number,
): Promise<boolean> {
  const row = toImportedEvent({ ...event, contact });
  const outcome = await db.writeFew(workspace, async (scope) => {
    return (await addEvent(scope, row, now)) ? 'added' : must((await putEvents(scope, [row], now))[0]);
  });
  if (!Array.isArray(outcome)) return outcome === 'added';
  if (outcome.includes(NO_CONTACT)) throw new ProblemError(404, 'There is no such contact in this workspace.');
  if (outcome.includes(OTHERS_EVENT)) throw new ProblemError(409, OTHERS_EVENT.message, { errors: outcome });
  throw validationProblem(outcome);
}

/**
 * Gives an outcome for each of `values`, in their order; those of lines have their numbers. They are written in several
 * transactions, so that others come between. Throws a `ProblemError` where there are too many.
 */
export async function recordEvents(
  workspace: Workspace,
  db: Writer,
  values: readonly unknown[],
  now: number,
): Promise<EventOutcome[]> {
  if (values.length > EVENTS_MAX) {
    throw new ProblemError(422, `These are ${values.length} events. Send at most ${EVENTS_MAX} in one request.`);
  }
  const outcomes: EventOutcome[] = [];
  for (const chunk of chunks(values, CHUNK_SIZE)) {
    // A file is written to without a pause.
    if (outcomes.length > 0) await setImmediate();
    const read = chunk.map(readEvent);
    const events = read.flatMap((event) => (Array.isArray(event) ? [] : [event]));
    const written = (await db.write(workspace, (scope) => putEvents(scope, events, now))).values();
    for (const [index, event] of read.entries()) {
      const outcome = toOutcome(Array.isArray(event) ? event : (written.next().value as ImportOutcome));
      const value = chunk[index];
      outcomes.push(value instanceof JsonLine ? { ...outcome, line: value.number } : outcome);
    }
  }
  return outcomes;
}

function toOutcome(outcome: ImportOutcome): EventOutcome {
  if (Array.isArray(outcome)) return { outcome: 'refused', errors: outcome };
  return { outcome: outcome === 'added' ? 'recorded' : 'unchanged' };
}

/** The errors of an event that cannot be recorded. */
function readEvent(value: unknown): ImportedEvent | FieldError[] {
  if (value instanceof JsonLine && value.error !== null) return [{ field: '', message: value.error }];
  try {
    const event = validateBody(NewEventOfContact, value instanceof JsonLine ? value.value : value);
    if (event.uuid === undefined && event.created_at === undefined) {
      return [{ field: '', message: 'It needs a uuid or a created_at: without both a repeat would record it again.' }];
    }
    return toImportedEvent(event);
  } catch (error) {
    if (error instanceof ProblemError) return error.errors;
    throw error;
  }
}

/** Throws a `ProblemError`. */
function toImportedEvent(event: z.infer<typeof NewEventOfContact>): ImportedEvent {
  const { contact, uuid, event_name, attributes = {}, created_at } = event;
  const row = { contact, event_name, attributes, ...(uuid !== undefined && { uuid }) };
  if (created_at === undefined) return row;
  const time = parseInstant(created_at);
  if (time !== null) return { ...row, created_at: time };
  const message = 'created_at is no time with its zone, as in 2026-01-31T09:30:00Z.';
  throw validationProblem([{ field: 'created_at', message }]);
}
