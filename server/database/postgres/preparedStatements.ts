import type { QueryResult } from 'kysely';
import { type ClientBase, type Connection, type FieldDef, Query } from 'pg';
import { must } from '#contract/must.ts';

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
  /** Called when the statement behind them has run too, before what commits it. */
  onRun?: (() => void) | undefined;
};

/** Runs one statement. If one of `prelude` fails, those behind it and the statement itself do not run. */
export async function runStatement<Row>(
  client: ClientBase,
  statement: Statement,
  prelude?: Prelude,
): Promise<QueryResult<Row>> {
  try {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<Row>>();
    const callback: Callback = (error, result) => (error ? reject(error) : resolve(result as QueryResult<Row>));
    const query = new StatementQuery(statement, callback, { client, prelude });
    client.query(query);
    return query.withRows(await promise);
  } catch (error) {
    // The stack where it was created leads to the socket only.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** A statement of a session that is ours alone. Without a name it is parsed each time, else once for the session. */
export type SessionStatement = { name?: string | undefined; text: string; values: readonly SentValue[] };
type SentValue = string | number | null;

/**
 * Runs statements that only read, in one message to the server, which answers in one as well. They are one transaction, but each sees what
 * is committed when the server begins with it. Gives the rows of each that has run. If one fails, the server skips those behind it, and
 * `error` says why.
 */
export async function runTogether(
  client: ClientBase,
  statements: readonly SessionStatement[],
): Promise<{ results: Record<string, unknown>[][]; error: unknown }> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const query = new TogetherQuery(client, statements, resolve);
  client.query(query);
  const error = await promise;
  return { results: query.readResults(), error };
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
  /** Gives what is wrong with the statement itself: `pg` rejects it then. */
  submit(connection: Connection): Error | null;
  handleRowDescription(message: { fields: FieldDef[] }): void;
  handleDataRow(message: { fields: RowValues }): void;
  handleCommandComplete(message: object, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
};
const BaseQuery = Query as unknown as new (text: string, values: unknown[], callback: Callback) => OverriddenQuery;

/** The values of a row as the server sends them. */
type RowValues = readonly (string | null)[];

/**
 * Reads the rows of a prepared statement. Their columns never change, so the server describes them once. `pg` would prepare to read
 * them for each result, which takes as long as reading ten rows.
 */
class RowReader {
  readonly #columns: { name: string; parse: (value: string) => unknown }[];
  /** Filling in a copy is faster than adding the columns one by one. */
  readonly #emptyRow: Readonly<Record<string, unknown>>;

  constructor(fields: readonly FieldDef[], client: ClientBase) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: client.getTypeParser(dataTypeID, 'text') }));
    this.#emptyRow = Object.fromEntries(fields.map(({ name }) => [name, null]));
  }

  read(values: RowValues): Record<string, unknown> {
    const row: Record<string, unknown> = { ...this.#emptyRow };
    let index = 0;
    for (const { name, parse } of this.#columns) {
      const value = values[index++] ?? null;
      if (value !== null) row[name] = parse(value);
    }
    return row;
  }
}

type Session = {
  /** By the names of the statements. */
  readers: Map<string, RowReader>;
  /** The same connection, but it asks for no description. */
  undescribing: Connection;
};
const sessions = new WeakMap<Connection, Session>();
const NO_DESCRIBE = { describe: { value: () => {} } };

function createSession(connection: Connection): Session {
  return { readers: new Map(), undescribing: Object.create(connection, NO_DESCRIBE) as Connection };
}

class PrepareQuery extends BaseQuery {
  readonly #statements: readonly NamedText[];

  constructor(statements: readonly NamedText[], callback: Callback) {
    super('', [], callback);
    this.#statements = statements;
  }

  override submit(connection: Connection): null {
    for (const { name, text } of this.#statements) {
      // An attempt that broke off may have prepared it.
      connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.sync();
    return null;
  }
}

/** Several statements up to one Sync. */
class TogetherQuery extends BaseQuery {
  readonly #client: ClientBase;
  readonly #statements: readonly SessionStatement[];
  #readers: Map<string, RowReader> | undefined;
  /** Of all statements. One has no reader until the server has described its columns. */
  readonly #results: { reader: RowReader | undefined; rows: RowValues[] }[] = [];
  /** Statements that have run. */
  #done = 0;

  constructor(client: ClientBase, statements: readonly SessionStatement[], onEnd: (error: unknown) => void) {
    super('', [], (error) => {
      // It is prepared anew the next time, because it may have failed while it was.
      if (error) this.#readers?.delete(this.#statements[this.#done]?.name ?? '');
      onEnd(error);
    });
    this.#client = client;
    this.#statements = statements;
  }

  override submit(connection: Connection): null {
    const { readers } = sessions.getOrInsertComputed(connection, createSession);
    this.#readers = readers;
    connection.stream.cork();
    for (const { name = '', text, values } of this.#statements) {
      const reader = readers.get(name);
      this.#results.push({ reader, rows: [] });
      if (reader === undefined) {
        // An attempt that broke off may have prepared it.
        connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
      }
      connection.bind({ statement: name, values: values.map(toText) }, true);
      if (reader === undefined) connection.describe({ type: 'P', name: '' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  override handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const reader = new RowReader(fields, this.#client);
    must(this.#results[this.#done]).reader = reader;
    const name = this.#statements[this.#done]?.name;
    if (name !== undefined) this.#readers?.set(name, reader);
  }

  override handleDataRow({ fields }: { fields: RowValues }): void {
    must(this.#results[this.#done]).rows.push(fields);
  }

  override handleCommandComplete(): void {
    this.#done++;
  }

  /** Comes instead where a text holds no statement. The rows of those behind it would be given for it otherwise. */
  override handleEmptyQuery(): void {
    this.#done++;
  }

  /** The rows of those that have run. */
  readResults(): Record<string, unknown>[][] {
    return this.#results
      .slice(0, this.#done)
      .map(({ reader, rows }) => rows.map((values) => must(reader).read(values)));
  }
}

const toText = (value: SentValue) => (value === null ? null : String(value));

class StatementQuery extends BaseQuery {
  readonly #client: ClientBase;
  readonly #prelude: Prelude | undefined;
  /** Where its reader is kept when the server has described its columns. */
  #readers: Map<string, RowReader> | undefined;
  /** Undefined where `pg` reads the rows. */
  #reader: RowReader | undefined;
  readonly #rows: RowValues[] = [];
  /** Statements of the prelude that have not run. */
  #ahead: number;

  constructor(
    statement: Statement,
    callback: Callback,
    { client, prelude }: { client: ClientBase; prelude: Prelude | undefined },
  ) {
    // The name and the mode are set below, because an object with them would be copied, property descriptor by property descriptor.
    super(statement.text, statement.values, callback);
    this.name = statement.name;
    this.queryMode = 'extended';
    this.#client = client;
    this.#prelude = prelude;
    this.#ahead = prelude?.statements.length ?? 0;
  }

  override submit(connection: Connection): Error | null {
    connection.stream.cork();
    try {
      if (this.#prelude !== undefined) sendPrelude(connection, this.#prelude);
      return this.#submitOwn(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  #submitOwn(connection: Connection): Error | null {
    if (this.name === undefined) return super.submit(connection);
    const { readers, undescribing } = sessions.getOrInsertComputed(connection, createSession);
    this.#reader = readers.get(this.name);
    if (this.#reader !== undefined) return super.submit(undescribing);
    this.#readers = readers;
    return super.submit(connection);
  }

  override handleRowDescription(message: { fields: FieldDef[] }): void {
    if (this.name !== undefined) this.#readers?.set(this.name, new RowReader(message.fields, this.#client));
    super.handleRowDescription(message);
  }

  override handleDataRow(message: { fields: RowValues }): void {
    if (this.#ahead > 0) return;
    if (this.#reader === undefined) super.handleDataRow(message);
    else this.#rows.push(message.fields);
  }

  /** Its result with the rows that `pg` has not read. */
  withRows<Row>(result: QueryResult<Row>): QueryResult<Row> {
    const reader = this.#reader;
    return reader === undefined ? result : { ...result, rows: this.#rows.map((values) => reader.read(values) as Row) };
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    if (this.#ahead === 0) {
      this.#prelude?.onRun?.();
      return super.handleCommandComplete(message, connection);
    }
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
