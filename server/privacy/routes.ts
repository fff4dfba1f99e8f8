import { findErasure } from '#contract/erasure.ts';
import { eraseContact, exportPerson, liftErasure, type PersonFormat, previewErasure } from '#contract/privacy.ts';
import { DatabaseBusyError } from '../database/databaseErrors.ts';
import { authorOf } from '../database/changeLog/author.ts';
import { type Database, READ_LIMIT_MS } from '../database/database.ts';
import { timestamp } from '../database/timestamp.ts';
import { FairLimiter } from '../limiter/fairLimiter.ts';
import type { Workspace } from '../database/workspace.ts';
import { ProblemError, validationProblem } from '../http/problems.ts';
import { type FileContent, type Route, route } from '../http/route.ts';
import * as erase from './erase.ts';
import * as erasures from './erasures.ts';
import type { ErasureJob } from './erasureJob.ts';
import { pacedTexts } from './mentions/pacedTexts.ts';
import { formatPerson } from './personFiles.ts';
import { logPersonExport, readPerson } from './readPerson.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  job: Pick<ErasureJob, 'wake'>;
};

type FileDependencies = Pick<Dependencies, 'database' | 'now'> & { files: FairLimiter };

export const personRoutes = ({ database, now, job }: Dependencies): Route[] => {
  const files = onePerWorkspace('Another person export is running.');
  const searches = onePerWorkspace('The log is being searched for another erasure.');
  return [
    route(exportPerson, async ({ workspace, params, query, caller, signal }) => {
      const format = query.format ?? 'json';
      const author = authorOf(caller);
      const uuid = await logPersonExport(workspace, database, params.contact, format, author, now());
      return uuid === null ? notFound() : openFile(workspace, { database, now, files }, uuid, format, signal);
    }),

    route(previewErasure, async ({ workspace, params }) => {
      const { contact: _, ...counts } =
        (await searches.run(
          () => erase.previewErasure(workspace, database, params.contact),
          undefined,
          workspace.id,
        )) ?? notFound();
      return { data: counts };
    }),

    route(eraseContact, async ({ workspace, params, body, caller }) => {
      const work = searches.run(
        () => erase.eraseContact(workspace, database, params.contact, body, authorOf(caller), now()),
        undefined,
        workspace.id,
      );
      const { contact: _, erased_at, ...erased } = (await work.catch(throwErasureProblem)) ?? notFound();
      if (!erased.is_complete) job.wake();
      return { data: { ...erased, erased_at: timestamp(erased_at) } };
    }),

    route(findErasure, async ({ workspace, params }) => {
      const time = await erasures.findErasureTime(workspace, database, params.identity);
      return { data: { erased_at: time === null ? null : timestamp(time) } };
    }),

    route(liftErasure, async ({ workspace, body, caller }) => {
      const work = erasures.liftErasure(workspace, database, body, authorOf(caller), now());
      return { data: { lifted: await work.catch(throwErasureProblem) } };
    }),
  ];
};

/** So that no workspace waits for another. `sentence` says what takes long. */
const onePerWorkspace = (sentence: string) =>
  new FairLimiter({
    max: Infinity,
    maxPerGroup: 1,
    limitMs: READ_LIMIT_MS,
    timeout: () => new DatabaseBusyError(null, sentence),
  });

const MEDIA_TYPES: Readonly<Record<PersonFormat, string>> = { json: 'application/json', html: 'text/html' };

/** It's the only open file of its workspace until `signal` aborts, or its reader is too slow. */
async function openFile(
  workspace: Workspace,
  { database, now, files }: FileDependencies,
  uuid: string,
  format: PersonFormat,
  signal: AbortSignal,
): Promise<FileContent> {
  const limit = new AbortController();
  const content = Promise.withResolvers<FileContent>();
  const ended = new Promise<void>((resolve) => {
    const end = AbortSignal.any([signal, limit.signal]);
    if (end.aborted) resolve();
    else end.addEventListener('abort', () => resolve(), { once: true });
  });
  const write = async () => {
    const person = (await readPerson(workspace, database, uuid, now())) ?? notFound();
    const texts = pacedTexts(formatPerson[format](person), () => limit.abort());
    content.resolve({ name: `person-${uuid}.${format}`, mediaType: MEDIA_TYPES[format], texts, limit: limit.signal });
    await ended;
  };
  files.run(write, undefined, workspace.id).catch(content.reject);
  return content.promise;
}

function throwErasureProblem(error: unknown): never {
  if (error instanceof erase.InvalidErasureError) throw validationProblem(error.errors);
  throw error;
}

/** As for every other operation: also of a contact that was erased. */
function notFound(): never {
  throw new ProblemError(404, 'There is no such contact in this workspace.');
}
