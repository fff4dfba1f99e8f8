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

/** Runs one statement. `sendPrelude` sends messages of another one before it, whose result is left out. */
export async function runStatement<Row>(
  client: ClientBase,
  statement: Statement,
  sendPrelude?: (connection: Connection) => void,
): Promise<QueryResult<Row>> {
  try {
    return await new Promise((resolve, reject) => {
      const callback: Callback = (error, result) => (error ? reject(error) : resolve(result as QueryResult<Row>));
      client.query(new StatementQuery(statement, callback, sendPrelude));
    });
  } catch (error) {
    // The stack where it was created leads to the socket only.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
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

class StatementQuery extends BaseQuery {
  readonly #sendPrelude: ((connection: Connection) => void) | undefined;
  #columns: Map<string, FieldDef[]> | undefined;
  #isPreludeDone: boolean;

  constructor(statement: Statement, callback: Callback, sendPrelude?: (connection: Connection) => void) {
    // The name and the mode are set below, because an object with them would be copied, property descriptor by property descriptor.
    super(statement.text, statement.values, callback);
    this.name = statement.name;
    this.queryMode = 'extended';
    this.#sendPrelude = sendPrelude;
    this.#isPreludeDone = sendPrelude === undefined;
  }

  override submit(connection: Connection): void {
    this.#sendPrelude?.(connection);
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
    if (this.#isPreludeDone) super.handleCommandComplete(message, connection);
    else this.#isPreludeDone = true;
  }
}
