import { Worker } from 'node:worker_threads';
import { CommandError } from '../../terminal/terminal.ts';
import type { CheckedLine, LineContext, Resource } from './lineKinds.ts';
import type { ExportedFile } from './readExport.ts';
import type { Format } from './readRows.ts';

// Lines are read and checked in a thread of their own, while this one writes those before (docs/decisions/0016-import.md).

export type LineInput = {
  file: string;
  format: Format;
  resource: Resource;
  context: LineContext;
  exported?: ExportedFile | undefined;
};

export type CheckedRow = { number: number } & CheckedLine;

/** Some lines, in their order. `rows` are the JSON of lists of `CheckedRow`; `share` of the file has been read, null when its size is not known. */
export type LineBatch = { rows: readonly string[]; share: number | null };

/** What the thread posts: `batch`, null at the end of the file, or `refusal` for each request, and notes at any time. */
export type ThreadMessage = { batch: LineBatch | null } | { refusal: string } | { note: string };

export type LineSource = { next: (rowsMax: number) => Promise<LineBatch | null> };

/** The lines of a file. Disposing ends the thread, also while it reads. */
export class LineThread implements LineSource, AsyncDisposable {
  readonly #worker: Worker;
  #pending: PromiseWithResolvers<LineBatch | null> | null = null;
  #error: unknown = null;

  constructor(workerData: LineInput, onNote: (sentence: string) => void) {
    this.#worker = new Worker(new URL('lineThread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.on('message', (message: ThreadMessage) => {
      if ('note' in message) onNote(message.note);
      else if ('batch' in message) this.#pending?.resolve(message.batch);
      else this.#end(new CommandError(message.refusal));
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('The thread that reads the file ended.')));
  }

  next(rowsMax: number): Promise<LineBatch | null> {
    this.#pending = Promise.withResolvers();
    if (this.#error !== null) this.#pending.reject(this.#error);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    else this.#worker.postMessage(rowsMax);
    return this.#pending.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #end(error: unknown): void {
    this.#error ??= error;
    this.#pending?.reject(this.#error);
  }
}
