import { timestamp } from '../database/timestamp.ts';
import { setImmediate } from 'node:timers/promises';
import type { PersonFormat } from '#contract/privacy.ts';
import { formatPersonPage } from './formatPersonPage.ts';
import type { PersonalData, PersonEvent } from './readPerson.ts';

/** A `PersonalData` as JSON, with a line for each change and event. */
async function* formatPersonJson({ changes, events, ...head }: PersonalData): AsyncGenerator<string> {
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

/** The texts of a file, one after the other. */
export const formatPerson: Readonly<Record<PersonFormat, (person: PersonalData) => AsyncIterable<string>>> = {
  json: (person) => inChunks(formatPersonJson(person)),
  html: (person) => inChunks(formatPersonPage(person)),
};

/** Characters that are sent at a time. */
const CHUNK = 32 * 1024;

async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
    // A file of SQLite is read without a pause: other requests come between two chunks.
    await setImmediate();
  }
  yield chunk;
}
