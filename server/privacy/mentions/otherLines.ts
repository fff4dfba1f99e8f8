import { setImmediate } from 'node:timers/promises';
import { foldIdentity, IDENTITY_KINDS, nameOf } from '../../contacts/identities/identity.ts';
import type { Database } from '../../database/database.ts';
import type { Scope } from '../../database/scope.ts';
import type { Workspace } from '../../database/workspace.ts';
import { READINGS_MAX } from './escapes.ts';
import { type Mentions, type Naming, type StoredValues, textsOf } from './mentions.ts';
import { createPause, type Pause } from '../pauses.ts';

/** Lines that are read at once, in some milliseconds: a file of SQLite is read without a pause. */
const LINES_AT_ONCE = 1_000;
/** Fewer where they have so many bytes: a change may have 1.6 MB. */
const BYTES_AT_ONCE = 1024 * 1024;
/** Characters, of every reading, that a transaction searches, in some milliseconds. */
const CHARACTERS_AT_ONCE = 256 * 1024;

/** How many lines about others name an identity in the same way. */
export type NamingLines = Naming & { lines: number };

type ReadLines = { lines: (StoredValues & { number: number })[]; last: number; isEnd: boolean };

/**
 * Looks through the log for the lines that are not about a contact and name one of its identities. The numbers are kept of those lines only
 * that name one of the identities `also`: each of the others may name a thousand.
 */
export class OtherLines {
  readonly #contactUuid: string;
  readonly #mentions: Mentions;
  /** Their names, as identities of each kind. */
  readonly #also: ReadonlySet<string>;
  readonly #chosen: number[] = [];
  readonly #rest = new Map<string, NamingLines>();
  #last = 0;

  constructor(contactUuid: string, mentions: Mentions, also: readonly string[]) {
    this.#contactUuid = contactUuid;
    this.#mentions = mentions;
    this.#also = new Set(
      IDENTITY_KINDS.flatMap((kind) => also.map((text) => nameOf({ kind, key: foldIdentity(kind, text) }))),
    );
  }

  /** The numbers of the lines that name one of the identities `also`, ascending. */
  get chosen(): readonly number[] {
    return this.#chosen;
  }

  /** The other lines, by identity and how it is named. */
  get rest(): NamingLines[] {
    return [...this.#rest.values()];
  }

  /** Searches all lines that are there and were not searched yet. Others come between. */
  async searchAll(workspace: Workspace, db: Pick<Database, 'read'>, pause: Pause): Promise<void> {
    for (;;) {
      const read = await db.read(workspace, (scope) => readLines(scope, this.#contactUuid, this.#last));
      await this.#search(read, pause);
      if (read.isEnd) return;
      // It is read without a pause, too.
      await setImmediate();
    }
  }

  /** Searches the lines that were not searched yet, in the transaction of `scope`; false where these are too many to keep others waiting. */
  async searchRest(scope: Scope): Promise<boolean> {
    const read = await readLines(scope, this.#contactUuid, this.#last);
    const characters = read.lines.flatMap(textsOf).reduce((sum, text) => sum + text.length, 0);
    if (!read.isEnd || characters * READINGS_MAX > CHARACTERS_AT_ONCE) return false;
    await this.#search(read, createPause());
    return true;
  }

  async #search({ lines, last }: ReadLines, pause: Pause): Promise<void> {
    for (const line of lines) {
      const namings = await this.#mentions.inLine(line, pause);
      if (namings.some(({ identity }) => this.#also.has(nameOf(identity)))) this.#chosen.push(line.number);
      else for (const naming of namings) this.#count(naming);
    }
    this.#last = last;
  }

  #count(naming: Naming): void {
    const key = `${naming.how} ${nameOf(naming.identity)}`;
    this.#rest.getOrInsertComputed(key, () => ({ ...naming, lines: 0 })).lines++;
  }
}

async function readLines(scope: Scope, contactUuid: string, after: number): Promise<ReadLines> {
  const lines = await scope
    .select('changes')
    .select(['number', 'contact_uuid', 'size'])
    .where('number', '>', after)
    .orderBy('number')
    .limit(LINES_AT_ONCE)
    .execute();
  let bytes = 0;
  const read = lines.filter(({ size }) => (bytes += size) - size < BYTES_AT_ONCE);
  const last = read.at(-1)?.number ?? after;
  const own = new Set(read.flatMap((line) => (line.contact_uuid === contactUuid ? [line.number] : [])));
  const values = await scope
    .select('change_values')
    .select(['number', 'summary', 'changes'])
    .where('number', '>', after)
    .where('number', '<=', last)
    .orderBy('number')
    .execute();
  return {
    lines: values.filter(({ number }) => !own.has(number)),
    last,
    isEnd: read.length === lines.length && lines.length < LINES_AT_ONCE,
  };
}
