import { setImmediate } from 'node:timers/promises';
import type { PersonFormat } from '#contract/privacy.ts';
import { formatPersonJson } from './formatPersonJson.ts';
import { formatPersonPage } from './formatPersonPage.ts';
import type { PersonalData } from './readPerson.ts';

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
