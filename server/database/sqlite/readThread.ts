import { parentPort, workerData } from 'node:worker_threads';
import type { SQLInputValue } from 'node:sqlite';
import { openReader } from './sqliteConnections.ts';
import { type RowValues, PreparedStatements } from './preparedStatements.ts';
import type { ThreadResponse, ThreadRequest, ThreadData } from './readThreads.ts';

// A thread with a connection of its own: it runs the statements of one reading transaction after the other (readThreads.ts).

const { file, cache } = workerData as ThreadData;
const database = openReader(file, cache);
const statements = new PreparedStatements(database);

parentPort?.on('message', (asked: ThreadRequest) => {
  // The transaction is over. It began with its first statement.
  if (asked === null) {
    if (database.isTransaction) database.exec('commit');
    return;
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  parentPort?.postMessage(answer(asked));
});

function answer({ sql, parameters }: NonNullable<ThreadRequest>): ThreadResponse {
  try {
    if (!database.isTransaction) database.exec('begin');
    const { statement, columns } = statements.get(sql);
    const rows: RowValues[] = [];
    // In a loop, which ends where the thread is ended: `all` would first be finished.
    for (const cells of statement.iterate(...(parameters as SQLInputValue[]))) rows.push(cells as unknown as RowValues);
    return { columns, rows };
  } catch (error) {
    // Of an error only the message would come across.
    const { message, errcode } = error as Error & { errcode?: unknown };
    return { columns: [], rows: [], error: { message, errcode } };
  }
}
