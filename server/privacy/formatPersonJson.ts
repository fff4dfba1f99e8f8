import { timestamp } from '../database/timestamp.ts';
import type { PersonalData, PersonEvent } from './readPerson.ts';

/** A `PersonalData` as JSON, with a line for each change and event. */
export async function* formatPersonJson({ changes, events, ...head }: PersonalData): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},\n"changes":[`;
  let separator = '\n';
  for await (const change of changes) {
    yield separator + JSON.stringify(change);
    separator = ',\n';
  }
  yield '\n],\n"events":[';
  separator = '\n';
  for await (const event of events) {
    yield separator + eventText(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Stored attributes are JSON already. */
function eventText({ uuid, event_name, attributes, created_at }: PersonEvent): string {
  const [name, time] = [event_name, timestamp(created_at)].map((text) => JSON.stringify(text));
  return `{"uuid":"${uuid}","event_name":${name},"attributes":${attributes},"created_at":${time}}`;
}
