import { type CompiledQuery, DefaultQueryExecutor, type Dialect, DummyDriver, Kysely, type QueryResult } from 'kysely';
import type { Tables } from './schema/tables.ts';

/** Runs one statement. */
export type Execute = <Result>(query: CompiledQuery) => Promise<QueryResult<Result>>;

/** Kysely that runs its statements through `execute`. Acquiring and releasing a connection takes longer than a short statement. */
export function createDirectKysely(dialect: Dialect, execute: Execute): Kysely<Tables> {
  return new Kysely({
    config: { dialect },
    dialect,
    driver: NO_TRANSACTIONS,
    executor: new Executor(dialect, execute),
  });
}

class Executor extends DefaultQueryExecutor {
  readonly #execute: Execute;

  constructor(dialect: Dialect, execute: Execute) {
    const connection = { executeQuery: execute, streamQuery };
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    });
    this.#execute = execute;
  }

  override executeQuery<Result>(query: CompiledQuery): Promise<QueryResult<Result>> {
    return this.#execute(query);
  }
}

/** Not supported: while a stream is open, later reads on its connection would see the same old state of the data. */
// oxlint-disable-next-line require-yield -- it only throws
async function* streamQuery(): AsyncIterableIterator<never> {
  throw new Error('Read long results page by page.');
}

class NoTransactions extends DummyDriver {
  override async beginTransaction(): Promise<void> {
    throw new Error('Transactions are begun by read and write of the database.');
  }
}

const NO_TRANSACTIONS = new NoTransactions();
