import { listRuns, type ReadableBulkRun } from '#contract/runs/runs.ts';
import { readAgain } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import { newRun } from '../identity/unsubscribe.ts';
import { followError, queryClient } from '../session/queryClient.ts';
import { isOther, sessionQuery, sessionSignal, wasSignedOut } from '../session/session.ts';
import { acquireTabLock } from '../session/tabLock.ts';
import { dropUnsaved, keepUnsaved, RUNNING_IMPORT } from '../session/unsavedDrafts.ts';
import { placeName } from '../session/workspaces.ts';
import { createStore } from '../ui/page/store.ts';
import { type Preview, previewRows, writeRows } from './importJob.ts';
import { type Choice, type Choices, findSources, planImport, type Source, type Sources, translate } from './mapping.ts';
import { type BadLine, type ExportFile, readExport } from './readExport.ts';

/** An import of a file, as far as it is. It outlives the page, not the tab. */
export type ImportState = {
  file: ExportFile | null;
  sources: Sources;
  source: Source | null;
  choices: Choices;
  /** What the service has of the same file. */
  kept: ReadableBulkRun | null;
  /** Another tab has the same file. */
  isElsewhere: boolean;
  preview: Preview | null;
  /** Lines that are done in the present step; null if nothing is going on. */
  progress: { step: 'reading' | 'checking' | 'importing'; done: number; total: number } | null;
  /** UUID of the import that was begun here. */
  run: string | null;
  /** The import that ended. `refused`: lines that weren't imported. */
  ended: { run: ReadableBulkRun; refused: readonly BadLine[] } | null;
  error: Error | null;
};

const EMPTY: ImportState = {
  file: null,
  sources: { found: [], preset: null, all: [] },
  source: null,
  choices: new Map(),
  kept: null,
  isElsewhere: false,
  preview: null,
  progress: null,
  run: null,
  ended: null,
  error: null,
};

export const importState = createStore(EMPTY);

const change = (update: Partial<ImportState>) => importState.write({ ...importState.read(), ...update });

let control = new AbortController();

/** Stops what is going on. What was imported stays. */
export const pauseImport = () => control.abort(new DOMException('Paused', 'AbortError'));

let releaseFile = () => {};

export function startOver(): void {
  pauseImport();
  // What still goes on has nothing to show.
  control = new AbortController();
  releaseFile();
  releaseFile = () => {};
  importState.write(EMPTY);
}

type Step = NonNullable<ImportState['progress']>['step'];

/** Runs a step; an error of it is shown, and ends it. */
async function run(
  step: Step,
  total: number,
  work: (signal: AbortSignal) => Promise<Partial<ImportState>>,
): Promise<void> {
  const own = new AbortController();
  control = own;
  change({ progress: { step, done: 0, total }, error: null });
  try {
    const update = await work(own.signal);
    if (control === own) change({ ...update, progress: null });
  } catch (error) {
    if (control !== own) return;
    const shown = error instanceof Error ? error : new Error(String(error));
    if (!own.signal.aborted) followError(error);
    // The end of the session stops it too.
    change({ progress: null, error: own.signal.aborted ? null : shown });
  }
}

const readSession = () => queryClient.getQueryData(sessionQuery.queryKey) ?? null;

let followed: AbortSignal | null = null;

/**
 * The file has personal data: a sign-out drops it, and so does the session of somebody else. If the service ended the session, the same
 * person continues after the next sign-in.
 */
function followSession(): void {
  if (followed === sessionSignal()) return;
  followed = sessionSignal();
  const onEnd = () => {
    if (wasSignedOut()) return startOver();
    const before = readSession();
    const isImporting = importState.read().progress?.step === 'importing';
    pauseImport();
    const stop = queryClient.getQueryCache().subscribe(() => {
      const session = readSession();
      if (session === null || session === before) return;
      stop();
      if (before === null || isOther(before, session)) return startOver();
      followSession();
      // The new session drops drafts first, of which a running import is one.
      if (isImporting) queueMicrotask(() => void writeFile());
    });
  };
  followed.addEventListener('abort', onEnd, { once: true });
}

const showDone = (step: Step, total: number) => (done: number) => change({ progress: { step, done, total } });

export function chooseFile(chosen: File): Promise<void> {
  startOver();
  followSession();
  return run('reading', 0, async (signal) => {
    const file = await readExport(chosen);
    const sources = findSources(file);
    const isElsewhere = await takeFile(chosen, file.digest, signal);
    const kept = await findKept(file.digest);
    const own = kept?.state === 'incomplete' ? kept : null;
    const source = sources.all.find(({ id }) => id === own?.imported?.source) ?? null;
    return {
      file,
      sources,
      kept,
      isElsewhere,
      source: source ?? sources.preset,
      choices: source === null ? new Map() : choicesOf(own),
    };
  });
}

/**
 * One tab at a time has a file. Gives whether another one has it: this one opens it once that leaves it. Rejects if the browser refuses
 * locks.
 */
function takeFile(chosen: File, digest: string | null, signal: AbortSignal): Promise<boolean> {
  if (digest === null) return Promise.resolve(false);
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const take = async () => {
    const release = await acquireTabLock(`sendroom import ${placeName()} ${digest}`, () => resolve(true));
    resolve(false);
    const { isElsewhere, file } = importState.read();
    if (control.signal === signal && !isElsewhere) releaseFile = release;
    else release();
    if (isElsewhere && file?.digest === digest) void chooseFile(chosen);
  };
  take().catch(reject);
  return promise;
}

const choicesOf = (kept: ReadableBulkRun | null): Choices =>
  new Map(kept?.imported?.mapping.map(({ column, attribute, to }) => [column, to === undefined ? attribute : { to }]));

/** The newest import of the same file, unless it was undone. */
async function findKept(digest: string | null): Promise<ReadableBulkRun | null> {
  if (digest === null) return null;
  const { data } = await request(listRuns, { query: { filters: { digest } } });
  return data.find(({ imported, state }) => imported !== null && state !== 'undone') ?? null;
}

/** What was said of the file before holds no more. */
export const chooseSource = (id: string): void => {
  const { sources } = importState.read();
  const source = sources.all.find((one) => one.id === id) ?? null;
  change({ source, choices: new Map(), run: null, preview: null, error: null });
};

/** Undefined for what the source says. */
export const chooseColumn = (column: number, choice: Choice | undefined): void => {
  const choices = new Map(importState.read().choices);
  if (choice === undefined) choices.delete(column);
  else choices.set(column, choice);
  change({ choices, run: null, preview: null, error: null });
};

/** Leaves an import of the same file that isn't complete, to begin another one. */
export const forgetKept = (): void => change({ kept: null, choices: new Map(), run: null, preview: null, error: null });

const readIdentityField = () => readSession()?.identity_field ?? null;

async function translateChosen({ file, source, choices }: ImportState) {
  if (file === null || source === null) throw new Error('Choose a file first.');
  const plan = planImport(source, file, choices);
  return { file, source, choices, plan, translated: await translate(file, plan, readIdentityField()) };
}

export function checkFile(): Promise<void> {
  const state = importState.read();
  const total = state.file?.lines.length ?? 0;
  return run('checking', total, async (signal) => {
    const { translated } = await translateChosen(state);
    const preview = await previewRows(translated, readIdentityField(), signal, showDone('checking', total));
    return { preview };
  });
}

/** Begins, or continues what the service has of the same file. */
export function writeFile(): Promise<void> {
  const state = importState.read();
  const total = state.file?.lines.length ?? 0;
  const known = state.run ?? (state.kept?.state === 'incomplete' ? state.kept.uuid : newRun());
  change({ run: known });
  return run('importing', total, async (signal) => {
    keepUnsaved(queryClient, RUNNING_IMPORT, true);
    try {
      const begun = await translateChosen(state);
      const refused = await writeRows(
        { run: known, ...begun, unsubscribes: state.preview?.unsubscribed ?? 0 },
        signal,
        showDone('importing', begun.translated.rows.length),
      );
      const kept = await readKept(known);
      if (kept === null) throw new Error('The service no longer keeps this import.');
      return { ended: { run: kept, refused: mergeLines(state.preview?.refused ?? begun.translated.refused, refused) } };
    } catch (error) {
      // Where a request got lost, only the service knows how far it is.
      const kept = await readKept(known).catch(() => null);
      if (kept !== null && control.signal === signal) change({ kept });
      throw error;
    } finally {
      dropUnsaved(queryClient, RUNNING_IMPORT);
      for (const { id } of [listRuns, { id: 'listContacts' }, { id: 'listSuppressions' }, { id: 'getOverview' }])
        void readAgain(queryClient, { id });
    }
  });
}

async function readKept(run: string): Promise<ReadableBulkRun | null> {
  const { data } = await request(listRuns, { query: { filters: { run } } });
  return data[0] ?? null;
}

function mergeLines(...lists: (readonly BadLine[])[]): BadLine[] {
  return [...new Map(lists.flat().map((line) => [line.number, line])).values()].toSorted(
    (one, other) => one.number - other.number,
  );
}
