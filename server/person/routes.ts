import { eraseContact, exportPerson, liftErasure, type PersonFormat, previewErasure } from '#contract/person.ts';
import { authorOf } from '../database/author.ts';
import type { Database } from '../database/database.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { ProblemError, validationProblem } from '../http/problems.ts';
import { type FileContent, type Route, route } from '../http/route.ts';
import * as erase from './erase.ts';
import * as erasures from './erasures.ts';
import type { ErasureJob } from './erasureJob.ts';
import { pacedTexts } from './pacedTexts.ts';
import { formatPerson } from './personFiles.ts';
import { logPersonExport, type PersonalData, readPerson } from './readPerson.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  job: Pick<ErasureJob, 'wake'>;
};

export const personRoutes = ({ database, now, job }: Dependencies): Route[] => [
  route(exportPerson, async ({ workspace, params, query, caller, signal }) => {
    const format = query.format ?? 'json';
    const author = authorOf(caller);
    const uuid = await logPersonExport(workspace, database, params.contact, format, author, now());
    return uuid === null ? notFound() : openFile(workspace, database, uuid, format, now(), signal);
  }),

  route(previewErasure, async ({ workspace, params }) => {
    const { contact: _, ...counts } = (await erase.previewErasure(workspace, database, params.contact)) ?? notFound();
    return { data: counts };
  }),

  route(eraseContact, async ({ workspace, params, body, caller }) => {
    const work = erase.eraseContact(workspace, database, params.contact, body, authorOf(caller), now());
    const { contact: _, erased_at, ...erased } = (await work.catch(throwErasureProblem)) ?? notFound();
    if (!erased.is_complete) job.wake();
    return { data: { ...erased, erased_at: timestamp(erased_at) } };
  }),

  route(liftErasure, async ({ workspace, body, caller }) => {
    const work = erasures.liftErasure(workspace, database, body, authorOf(caller), now());
    return { data: { lifted: await work.catch(throwErasureProblem) } };
  }),
];

const MEDIA_TYPES: Readonly<Record<PersonFormat, string>> = { json: 'application/json', html: 'text/html' };

/** Milliseconds in which a file is to be taken. Few can be written at once, and the database removes nothing meanwhile that they may read. */
const FILE_LIMIT_MS = 10 * 60_000;

/** The file, whose texts are of one state of the data, which is kept until `signal` aborts or the time for it is over. */
async function openFile(
  workspace: Workspace,
  database: Database,
  uuid: string,
  format: PersonFormat,
  now: number,
  signal: AbortSignal,
): Promise<FileContent> {
  const opened = Promise.withResolvers<PersonalData | null>();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), FILE_LIMIT_MS);
  const ended = new Promise<void>((resolve) => {
    const end = AbortSignal.any([signal, limit.signal]);
    if (end.aborted) resolve();
    else end.addEventListener('abort', () => resolve(), { once: true });
  });
  const reading = database.readAtLeisure(workspace, async (scope) => {
    const person = await readPerson(scope, uuid, now);
    opened.resolve(person);
    if (person !== null) await ended;
  });
  // Once it is open an error is one of its texts, too.
  reading.catch(opened.reject).finally(() => clearTimeout(timer));
  const person = (await opened.promise) ?? notFound();
  const texts = pacedTexts(formatPerson[format](person), () => limit.abort());
  return { name: `person-${uuid}.${format}`, mediaType: MEDIA_TYPES[format], texts, limit: limit.signal };
}

function throwErasureProblem(error: unknown): never {
  if (error instanceof erase.InvalidErasureError) throw validationProblem(error.errors);
  throw error;
}

/** As for every other operation: also of a contact that was erased. */
function notFound(): never {
  throw new ProblemError(404, 'There is no such contact in this workspace.');
}
