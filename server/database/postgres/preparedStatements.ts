import type { QueryResult } from 'kysely';
import { type ClientBase, type Connection, type FieldDef, Query } from 'pg';

/** There are some hundred statements. The limit keeps a bug of ours from filling the memory of the server. */
const NAMES_MAX = 200;
/** A prepared statement with `*` fails once a newer version has added a column. */
const ALL_COLUMNS = /\b(select|returning) \*|\.\*/;

/** Names of the statements that sessions prepare, so that the server parses each only once for a session. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** Undefined for a statement that is parsed each time. */
  nameOf(text: string): string | undefined {
    const existing = this.#names.get(text);
    if (existing !== undefined || this.#names.size === NAMES_MAX || ALL_COLUMNS.test(text)) return existing;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}

/** `name` is undefined for a statement that is parsed each time. Others need a session that is ours alone. */
type Statement = { text: string; values: unknown[]; name: string | undefined };

/** A statement that goes ahead of another one, with its values as text. Sessions that are ours alone prepare it under its name. */
export type AheadStatement = NamedText & { values: readonly (string | null)[] };
export type NamedText = { name: string; text: string };

/** Statements that are sent ahead of another one in the same message to the server. Their results are left out. */
export type Prelude = {
  statements: readonly AheadStatement[];
  /** Whether the session has prepared them (`prepareStatements`). */
  isPrepared: boolean;
  /** Called when all of them have run. */
  onDone?: (() => void) | undefined;
};

/** Runs one statement. If one of `prelude` fails, those behind it and the statement itself do not run. */
export async function runStatement<Row>(
  client: ClientBase,
  statement: Statement,
  prelude?: Prelude,
): Promise<QueryResult<Row>> {
  try {
    return await new Promise((resolve, reject) => {
      const callback: Callback = (error, result) => (error ? reject(error) : resolve(result as QueryResult<Row>));
      client.query(new StatementQuery(statement, callback, prelude));
    });
  } catch (error) {
    // The stack where it was created leads to the socket only.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** Prepares statements in a session that is ours alone, without running them. */
export async function prepareStatements(client: ClientBase, statements: readonly NamedText[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.query(new PrepareQuery(statements, (error) => (error ? reject(error) : resolve())));
  });
}

type Callback = (error: Error | null | undefined, result: unknown) => void;

/** What of `Query` is used here: its types leave most of it out. */
type OverriddenQuery = {
  name: string | undefined;
  queryMode: 'extended' | undefined;
  submit(connection: Connection): void;
  handleRowDescription(message: { fields: FieldDef[] }): void;
  handleCommandComplete(message: object, connection: Connection): void;
};
const BaseQuery = Query as unknown as new (text: string, values: unknown[], callback: Callback) => OverriddenQuery;

type Session = {
  /** The columns of each prepared statement by its name. They never change, so the server need not describe them again. */
  columns: Map<string, FieldDef[]>;
  /** The same connection, but it asks for no description. */
  undescribing: Connection;
};
const sessions = new WeakMap<Connection, Session>();
const NO_DESCRIBE = { describe: { value: () => {} } };

function createSession(connection: Connection): Session {
  return { columns: new Map(), undescribing: Object.create(connection, NO_DESCRIBE) as Connection };
}

class PrepareQuery extends BaseQuery {
  readonly #statements: readonly NamedText[];

  constructor(statements: readonly NamedText[], callback: Callback) {
    super('', [], callback);
    this.#statements = statements;
  }

  override submit(connection: Connection): void {
    for (const { name, text } of this.#statements) {
      // An attempt that broke off may have prepared it.
      connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.sync();
  }
}

class StatementQuery extends BaseQuery {
  readonly #prelude: Prelude | undefined;
  #columns: Map<string, FieldDef[]> | undefined;
  /** Statements of the prelude that have not run. */
  #ahead: number;

  constructor(statement: Statement, callback: Callback, prelude: Prelude | undefined) {
    // The name and the mode are set below, because an object with them would be copied, property descriptor by property descriptor.
    super(statement.text, statement.values, callback);
    this.name = statement.name;
    this.queryMode = 'extended';
    this.#prelude = prelude;
    this.#ahead = prelude?.statements.length ?? 0;
  }

  override submit(connection: Connection): void {
    connection.stream.cork();
    try {
      if (this.#prelude !== undefined) sendPrelude(connection, this.#prelude);
      this.#submitOwn(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  #submitOwn(connection: Connection): void {
    if (this.name === undefined) return super.submit(connection);
    const { columns, undescribing } = sessions.getOrInsertComputed(connection, createSession);
    const fields = columns.get(this.name);
    if (fields === undefined) {
      this.#columns = columns;
      return super.submit(connection);
    }
    super.handleRowDescription({ fields });
    return super.submit(undescribing);
  }

  override handleRowDescription(message: { fields: FieldDef[] }): void {
    if (this.name !== undefined) this.#columns?.set(this.name, message.fields);
    super.handleRowDescription(message);
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#ahead === 0) return super.handleCommandComplete(message, connection);
    this.#ahead--;
    if (this.#ahead === 0) this.#prelude?.onDone?.();
  }
}

/**
 * Messages up to the next Sync are one transaction, unless they begin one, and the server skips those behind one that fails
 * (https://www.postgresql.org/docs/current/protocol-flow.html, pipelining).
 */
function sendPrelude(connection: Connection, { statements, isPrepared }: Prelude): void {
  for (const { name, text, values } of statements) {
    if (!isPrepared) connection.parse({ name: '', text, types: [] }, true);
    connection.bind({ statement: isPrepared ? name : '', values: [...values] }, true);
    connection.execute(null, true);
  }
}
