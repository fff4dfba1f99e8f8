import { parentPort, workerData } from 'node:worker_threads';
import type { SQLInputValue } from 'node:sqlite';
import { must } from '#contract/values/must.ts';
import { openReader } from './sqliteConnections.ts';
import { type RowValues, PreparedStatements } from './preparedStatements.ts';
import type { ThreadResponse, ThreadRequest, ThreadData } from './readThreads.ts';

// A thread with its own connection. It runs reading transactions one after the other (readThreads.ts).

const { file, cache } = workerData as ThreadData;
const database = openReader(file, cache);
const statements = new PreparedStatements(database);

const port = must(parentPort);
port.on('message', (request: ThreadRequest) => {
  // The transaction is over. It began with its first statement.
  if (request === null) {
    if (database.isTransaction) database.exec('commit');
    return;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  port.postMessage(runStatement(request));
});

function runStatement({ sql, parameters }: NonNullable<ThreadRequest>): ThreadResponse {
  try {
    if (!database.isTransaction) database.exec('begin');
    const { statement, columns } = statements.get(sql);
    const rows: RowValues[] = [];
    // A loop stops when the thread is terminated; `all` would first complete.
    for (const cells of statement.iterate(...(parameters as SQLInputValue[]))) rows.push(cells as unknown as RowValues);
    return { columns, rows };
  } catch (error) {
    // Node would give its next run the same error, because only that resets it.
    statements.delete(sql);
    // Of an error object, messages between threads keep only the text.
    const { message, errcode } = error as Error & { errcode?: unknown };
    return { columns: [], rows: [], error: { message, errcode } };
  }
}
