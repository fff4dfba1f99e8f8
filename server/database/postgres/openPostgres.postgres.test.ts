import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listContactEvents } from '../../contacts/events/events.ts';
import { recordEvent } from '../../contacts/events/ingest.ts';
import { putContacts } from '../../contacts/store.ts';
import { must } from '#contract/values/must.ts';
import type { Workspace } from '../workspace.ts';
import { createWorkspace, findWorkspace } from '../../workspaces/store.ts';
import type { Database, Transaction } from '../database.ts';
import { openDatabase } from '../openDatabase.ts';
import {
  CommitUncertainError,
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseGoneError,
  ReadTimeoutError,
} from '../databaseErrors.ts';
import { type Migration, migrations } from '../schema/schema.ts';
import {
  addMigrations,
  CALLER,
  NOW,
  openTestDatabase,
  type TestDatabase,
  withSettings,
} from '../../testing/testDatabase.ts';
import { startTestProxy, type TestProxy } from '../../testing/processes/testProxy.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const say = (text: string) => CompiledQuery.raw(text);
const nameNow = async () => (await findWorkspace(t.db, t.workspace.uuid))?.name;
const rename = (db: Database, name: string, workspace = t.workspace) =>
  db.write(workspace, ({ kysely: trx }) =>
    trx.updateTable('workspaces').set({ name }).where('id', '=', workspace.id).execute(),
  );
const sleep = ({ kysely }: { kysely: Transaction }) => kysely.executeQuery(say('select pg_sleep(0.1)'));
const half = (trx: Transaction) => trx.updateTable('workspaces').set({ name: 'half done' }).execute();
const failElsewhere = async ({ kysely: trx }: { kysely: Transaction }) => {
  await half(trx);
  throw new DatabaseGoneError(null);
};
const look = (trx: Transaction) => trx.selectFrom('workspaces').selectAll().execute();
const refusal = async (url: string) =>
  openDatabase(url).then(String, (error: Error) => `${error.name}: ${error.message}`);

test.each(['read', 'write'] as const)('after the end of a %s its statements are refused', async (kind) => {
  const over = await t.db[kind](t.workspace, async ({ kysely: trx }) => {
    await trx.executeQuery(say('select 1'));
    return { trx };
  });
  await expect(over.trx.executeQuery(say('select 1'))).rejects.toThrow('This transaction is over.');
});

describe('what goes wrong has a face, and changes nothing', () => {
  test.each<[state: string, error: new (...args: never[]) => Error]>([
    ['53100', DatabaseFullError],
    // Sessions that the server ends by a limit of time.
    ...['57P05', '25P03', '25P04'].map((state) => [state, DatabaseGoneError] as [string, typeof DatabaseGoneError]),
  ])('a statement that fails with %s', async (state, error) => {
    const failing = t.db.write(t.workspace, async ({ kysely: trx }) => {
      await trx.updateTable('workspaces').set({ name: 'half done' }).execute();
      await trx.executeQuery(say(`do $$ begin raise sqlstate '${state}'; end $$`));
    });
    await expect(failing).rejects.toThrow(error);
    expect(await nameNow()).toBe('Acme');
  });

  test('a statement of a service that takes longer than the server allows, and what was sent behind it', async () => {
    const db = await openDatabase(withSettings(t.url, 'statement_timeout=100'), { isService: true });
    const read = () => db.unscoped.kysely.executeQuery(say('select pg_sleep(60)'));
    await Promise.all([read(), read(), read()].map((reading) => expect(reading).rejects.toThrow(ReadTimeoutError)));
    await expect(db.unscoped.write((trx) => trx.executeQuery(say('select pg_sleep(60)')))).rejects.toThrow(
      DatabaseBusyError,
    );
    await db.close();
  });

  test('no statement of a command, which takes as long as it needs', async () => {
    const db = await openDatabase(withSettings(t.url, 'statement_timeout=50'));
    await Promise.all([
      sleep(db.unscoped),
      ...[{}, { isLong: true }, { isSingle: true }].map((options) => db.read(t.workspace, sleep, options)),
      ...[{}, { isBulk: true }].map((options) => db.write(t.workspace, sleep, options)),
    ]);
    await db.close();
  });

  test('a server that becomes a standby; the next write looks for its successor', async () => {
    const record = await addRecorded();
    for (const write of [() => rename(t.db, 'Bcme'), () => record(t.db)]) {
      await t.db.write(t.workspace, ({ kysely: trx }) =>
        trx.executeQuery(say('set session characteristics as transaction read only')),
      );
      await expect(write()).rejects.toThrow('The database takes no writes: it is a standby.');
      await write();
    }
  });

  test.each([{}, { isBulk: true }])(
    'a database that is gone elsewhere, in the middle of a write: %o',
    async (options) => {
      // The second and third are a group.
      const writes = [1, 2, 3].map(() => t.db.write(t.workspace, failElsewhere, options));
      for (const write of writes) await expect(write).rejects.toThrow(DatabaseGoneError);
      // Gets the same connection, and ends its transaction.
      await rename(t.db, 'Other', t.otherWorkspace);
      expect(await nameNow()).toBe('Acme');
    },
  );

  test('a group whose savepoint was cancelled', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- called with its client
    const query = Client.prototype.query as (what: unknown) => unknown;
    using sent = vi.spyOn(Client.prototype, 'query');
    sent.mockImplementation(function cancelSavepoint(this: Client, what: unknown) {
      return query.call(this, what === 'savepoint one' ? `do $$ begin raise sqlstate '57014'; end $$` : what);
    });
    const writes = ['first', 'second', 'third'].map((name) => rename(t.db, name));
    await writes[0];
    for (const write of writes.slice(1)) await expect(write).rejects.toThrow(DatabaseBusyError);
    expect(await nameNow()).toBe('first');
  });

  test('a statement that failed although nobody heard of it', async () => {
    const unheard = t.db.write(t.workspace, async ({ kysely: trx }) => {
      await trx.updateTable('workspaces').set({ name: 'half done' }).execute();
      await trx.executeQuery(say('nonsense')).catch(() => {});
    });
    await expect(unheard).rejects.toThrow('A statement failed in this transaction');
    expect(await nameNow()).toBe('Acme');
  });

  test('a second statement of a write that is over with its first', async () => {
    const write = t.db.write(
      t.workspace,
      async (scope) => {
        await scope.updateOwn().set({ name: 'first' }).execute();
        await scope.updateOwn().set({ name: 'second' }).execute();
      },
      { isSingle: true },
    );
    await expect(write).rejects.toThrow('This write was committed with its only statement.');
    expect(await nameNow()).toBe('first');
  });
});

/** Holds the locks of `workspaces` while `act` runs, as other processes do. */
async function whileHeld(workspaces: Workspace[], act: () => Promise<void>): Promise<void> {
  const [workspace, ...rest] = workspaces;
  if (workspace === undefined) await act();
  else await t.db.write(workspace, () => whileHeld(rest, act), { isBulk: true });
}

/** Until something waits for a lock of `trx`. */
const untilOneWaits = (trx: Transaction) =>
  vi.waitFor(async () => {
    const { rows } = await trx.executeQuery(
      say('select from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))'),
    );
    expect(rows).not.toHaveLength(0);
  }, 10_000);

/** Adds a contact, and gives what records an event of it: one statement that is sent with its commit. */
async function addRecorded(): Promise<(db: Database) => Promise<boolean | null>> {
  const contact = randomUUID();
  await t.db.write(t.workspace, (scope) => putContacts(scope, [{ uuid: contact, attributes: {} }], NOW));
  return (db) => recordEvent(t.workspace, db, contact, { uuid: randomUUID(), event_name: 'opened' }, CALLER, NOW);
}

describe('while another process writes to a workspace', () => {
  test('an event waits like any other write, and then sees what was written, however the server begins transactions', async () => {
    const record = await addRecorded();
    const db = await openDatabase(withSettings(t.url, String.raw`default_transaction_isolation=repeatable\ read`));
    let waiting: Promise<boolean | null> | undefined;
    await t.db.write(t.workspace, async ({ kysely: trx }) => {
      waiting = record(db);
      await untilOneWaits(trx);
    });
    expect(await waiting).toBe(true);
    await db.close();
  });

  test('those of other workspaces go on, however many workspaces are held, and then all are done', async () => {
    const db = await openDatabase(t.url);
    const about = { name: 'Held', identity_field: null };
    const held = await Promise.all(Array.from({ length: 5 }, () => createWorkspace(t.db, about, 0)));
    let waiting: Promise<unknown>[] = [];
    await whileHeld(held, async () => {
      waiting = [...held, ...held, ...held].map((workspace) => rename(db, 'Freed', workspace));
      await rename(db, 'Bcme', t.otherWorkspace);
    });
    await Promise.all(waiting);
    const names = await Promise.all(held.map(({ uuid }) => findWorkspace(t.db, uuid)));
    expect(names.map((workspace) => workspace?.name)).toEqual(held.map(() => 'Freed'));
    await db.close();
  });

  test('one that has waited too long is told so, wherever in the line it stands', async () => {
    const db = await openDatabase(withSettings(t.url, 'lock_timeout=400'));
    await whileHeld([t.workspace], async () => {
      const answers = await Promise.allSettled(Array.from({ length: 20 }, () => rename(db, 'Bcme')));
      for (const answer of answers) {
        expect(answer).toEqual({ status: 'rejected', reason: expect.any(DatabaseBusyError) as DatabaseBusyError });
      }
    });
    await rename(db, 'Ccme');
    expect(await nameNow()).toBe('Ccme');
    await db.close();
  });
});

describe('a server that goes away', () => {
  let door: TestProxy;
  let db: Database;
  beforeEach(async () => {
    door = await startTestProxy(t.url);
    db = await openDatabase(door.url);
  });
  afterEach(async () => {
    await db.close();
    await door[Symbol.asyncDispose]();
  });

  test('in the middle of a write leaves nothing of it', async () => {
    const broken = db.write(t.workspace, async ({ kysely: trx }) => {
      await half(trx);
      await door.disconnect();
      await look(trx);
    });
    await expect(broken).rejects.toThrow(DatabaseGoneError);
    expect(await nameNow()).toBe('Acme');
    await door.reconnect();
    await rename(db, 'Bcme');
  });

  test.each([
    ['a change may have kept it', 'write', half, CommitUncertainError],
    ['nothing is no question of what was written', 'read', look, DatabaseGoneError],
  ] as const)('while it shall keep %s', async (_, kind, work, error) => {
    const broken = db[kind](t.workspace, async ({ kysely: trx }) => {
      await work(trx);
      await door.disconnect();
    });
    await expect(broken).rejects.toThrow(error);
  });

  test('while an event waits for its turn may have kept it', async () => {
    const record = await addRecorded();
    await t.db.write(t.workspace, async ({ kysely: trx }) => {
      const broken = expect(record(db)).rejects.toThrow(CommitUncertainError);
      await untilOneWaits(trx);
      await door.disconnect();
      await broken;
    });
  });
});

describe('single statements that read', () => {
  test('share two connections, however many there are, and each gets its own answer', async () => {
    const asked = Array.from({ length: 50 }, (_, index) => index);
    const fresh = await openDatabase(t.url);
    const answering = [];
    for (const index of asked) {
      const query = sql<{
        index: number;
        session: number;
      }>`select ${index}::integer as index, pg_backend_pid() as session`;
      answering.push(
        index % 3 === 0
          ? query.execute(fresh.unscoped.kysely)
          : fresh.read(t.workspace, ({ kysely }) => query.execute(kysely), { isSingle: true }),
      );
      await nextTurn();
    }
    const answers = await Promise.all(answering);
    await fresh.close();
    expect(answers.map(({ rows }) => rows[0]?.index)).toEqual(asked);
    expect(new Set(answers.map(({ rows }) => rows[0]?.session)).size).toBe(2);
  });

  test('are answered where others hold nothing, and just before the database closes', async () => {
    const db = await openDatabase(t.url);
    const ask = (text: string) => db.unscoped.kysely.executeQuery(say(text));
    await ask('select 1');
    const asked = ['-- nothing', 'select 1 as one'].map(ask);
    await db.close();
    expect(await Promise.all(asked)).toEqual([{ rows: [] }, { rows: [{ one: 1 }] }]);
  });

  test('find rows by their keys, also where they were planned while the tables were small', async () => {
    // Of this schema alone: others of the same server come and go with their tests.
    await t.db.unscoped.write((trx) => trx.executeQuery(say('analyze contacts, identities, events, event_names')));
    const contact = randomUUID();
    await t.db.write(t.workspace, (scope) => putContacts(scope, [{ uuid: contact, attributes: {} }], NOW));
    const firstPage = { page: 1, per_page: 10, search: '', sorting: [], filters: {} };
    const ask = <Row>(query: RawBuilder<Row>) =>
      t.db.read(t.workspace, (scope) => scope.run(query), { isSingle: true });
    // A busy pool has several sessions: once more, until each statement meets the one that has planned it.
    const explain = async () => {
      // At once, so that both sessions prepare it.
      await Promise.all(Array.from({ length: 4 }, () => listContactEvents(t.workspace, t.db, contact, firstPage)));
      return explainEvents(ask);
    };
    const text = await vi.waitFor(explain, { timeout: 30_000 });
    expect(text).toContain('Index Scan Backward using events_by_time');
    expect(text).toMatch(/Scan (Backward )?using events_large/);
    expect(text).not.toMatch(/Seq Scan|Bitmap/);
  });
});

/** How the session that is asked would run the statement for events that it has prepared. */
async function explainEvents(ask: <Row>(query: RawBuilder<Row>) => Promise<Row[]>): Promise<string> {
  const [kept] = await ask(sql<{ name: string; parameters: number }>`
    select name, cardinality(parameter_types) as parameters from pg_prepared_statements where statement like ${'%from events%'}`);
  const { name, parameters } = must(kept);
  const nulls = Array.from({ length: parameters }, () => 'null').join(', ');
  const plan = await ask(sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain execute ${name} (${nulls})`)}`);
  return plan.map((line) => line['QUERY PLAN']).join('\n');
}

const addColumn: Migration = async ({ schema }) => {
  await schema.alterTable('contacts').addColumn('new', 'text').execute();
};

const sleepLong: Migration = async (trx) => void (await trx.executeQuery(say('select pg_sleep(0.5)')));

describe('opening', () => {
  test('what cannot be opened is one sentence, without the password', async () => {
    const nowhere = new URL(t.url);
    nowhere.pathname = '/nowhere';
    expect(await refusal(nowhere.href)).toMatch(
      /^DatabaseUnavailableError: The database nowhere on \S+ cannot be opened: database "nowhere" does not exist\.$/,
    );
    expect(await refusal('postgres://me:secret@127.0.0.1:9/x')).toBe(
      'DatabaseUnavailableError: The database x on 127.0.0.1:9 cannot be opened: connect ECONNREFUSED 127.0.0.1:9.',
    );
    expect(await refusal('postgres://me:secret@localhost/x?host=/nowhere')).toMatch(
      /^DatabaseUnavailableError: The database x on \/nowhere cannot be opened: connect ENOENT \/nowhere\/[^/]*\.$/,
    );
    expect(await refusal('postgres://me:secret@127.0.0.1')).toMatch(
      /^DatabaseUnavailableError: DATABASE_URL must name/,
    );
    expect(await refusal(withSettings(t.url, 'default_transaction_read_only=on'))).toMatch(/it is a standby\.$/);
    expect(await refusal(withSettings(t.url, 'synchronous_commit=off'))).toMatch(/set synchronous_commit to on\.$/);
  });

  test('a machine with another time than the server is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 125_000 });
    const said = await refusal(t.url);
    vi.useRealTimers();
    expect(said).toMatch(/The clock of this machine is 12\d seconds ahead of that of the database: set both right\.$/);
  });

  test('a newer schema waits for who writes, but not for long, and then nothing has changed', async () => {
    await t.db.write(t.workspace, async ({ kysely: trx }) => {
      await trx.updateTable('contacts').set({ subscribed: 1 }).execute();
      addMigrations(addColumn);
      const opened = openDatabase(withSettings(t.url, 'lock_timeout=200'), { migrates: true });
      await expect(opened).rejects.toThrow('Another process is writing to the database.');
    });
    migrations.pop();
    await (await openDatabase(t.url)).close();
  });

  test('a newer schema takes as long as it needs, whatever the server allows a statement', async () => {
    const url = withSettings(t.url, 'statement_timeout=300');
    addMigrations(sleepLong);
    await (await openDatabase(url, { isService: true })).close();
  });

  test('processes that start together on an older schema do each step once', async () => {
    addMigrations(addColumn);
    const together = await Promise.all([1, 2].map(() => openDatabase(t.url, { migrates: true })));
    for (const database of together) await database.close();
  });
});
