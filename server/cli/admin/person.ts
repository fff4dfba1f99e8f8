import { type Command, InvalidArgumentError, Option } from 'commander';
import { text } from 'node:stream/consumers';
import type { ErasurePreview, PersonFormat } from '#contract/privacy.ts';
import { PERSON_FORMATS, REFERENCE_MAX } from '#contract/privacy.ts';
import { REASON_MAX } from '#contract/change.ts';
import { spellDate } from '../../contacts/identities/erasedIdentities.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { eraseContact, InvalidErasureError, previewErasure } from '../../privacy/erase.ts';
import { findErasureTime, liftErasure, listErasures, type StoredErasure } from '../../privacy/erasures.ts';
import { finishErasures } from '../../privacy/finishErasures.ts';
import { formatPerson } from '../../privacy/personFiles.ts';
import { logPersonExport, readPerson } from '../../privacy/readPerson.ts';
import { openInput, STANDARD_STREAM } from '../terminal/files.ts';
import { toPrintable } from '../terminal/printable.ts';
import { readAnswer } from '../terminal/readAnswer.ts';
import { CommandError, type Terminal } from '../terminal/terminal.ts';
import { workspaceCommand } from './arguments.ts';
import { writeOutput } from './files/export.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

type WorkspaceOption = { workspace: string };
type ExportOptions = WorkspaceOption & { format: PersonFormat };
type EraseOptions = WorkspaceOption & {
  file?: string;
  reference?: string;
  reason?: string;
  also?: string[];
  yes?: boolean;
};
type LiftOptions = WorkspaceOption & { reason: string };

const CONFIRMATION = 'erase';
const LIFTED =
  "All identities of this person are accepted again. If added again, they're subscribed unless `subscribed` is false.";
const NOBODY = 'There is no such contact in this workspace.';

export function addPersonCommands(program: Command, run: RunWithDatabase): void {
  const person = program.command('person').description("export or erase a person's data");

  workspaceCommand(person, 'export', 'export everything about a contact: record, changes and events')
    .argument('<contact>', 'contact UUID or identity')
    .argument('[file]', `a new file; ${STANDARD_STREAM} is standard output`, STANDARD_STREAM)
    .addOption(new Option('--format <format>', 'html is a printable page').choices(PERSON_FORMATS).default('json'))
    .action((contact: string, file: string, { workspace, format }: ExportOptions, command: Command) => {
      if (file === STANDARD_STREAM && command.optsWithGlobals()['json']) {
        command.error('error: --json needs a file, because the data goes to standard output');
      }
      return run(async (db) => {
        const uuid = await exportPerson(await requireWorkspace(db, workspace), db, contact, format, file);
        const done = file === STANDARD_STREAM ? '' : `Exported everything about contact ${uuid}.`;
        return { value: { uuid }, text: done };
      });
    });

  addEraseCommand(person, run);

  workspaceCommand(person, 'lift', 'accept an erased person again; nothing comes back')
    .argument('<identity>', 'any identity the person had')
    .requiredOption('--reason <text>', 'reason, for the log', parseReason)
    .action((identity: string, { workspace, reason }: LiftOptions) =>
      run(async (db) => {
        const target = await requireWorkspace(db, workspace);
        const lifting = liftErasure(target, db, { identity, reason }, COMMAND, Date.now());
        const lifted = await lifting.catch(throwCommandError);
        if (!lifted) throw new CommandError('No erasure matches this identity.');
        return { value: { lifted }, text: LIFTED };
      }),
    );

  workspaceCommand(person, 'erasures', 'list erasures, oldest first, without identities').action(
    ({ workspace }: WorkspaceOption) =>
      run(async (db) => toErasureList(await listErasures(await requireWorkspace(db, workspace), db))),
  );
}

function addEraseCommand(person: Command, run: RunWithDatabase): void {
  workspaceCommand(person, 'erase', 'delete everything about contacts, and refuse to add them again')
    .argument('[contacts...]', 'contact UUIDs or identities')
    .option('--file <list>', `a list with one per line; ${STANDARD_STREAM} is standard input`)
    .option('--reference <number>', 'request number, shown when they are refused', parseShort)
    .option('--reason <text>', 'reason, for the log', parseReason)
    .option('--also <identity...>', 'also clear log entries about others that contain these identities')
    .option('--yes', 'skip the confirmation')
    .action((contacts: string[], options: EraseOptions, command: Command) => {
      if (contacts.length > 0 === (options.file !== undefined)) {
        command.error('error: give contacts, or a list with --file');
      }
      if (options.file === STANDARD_STREAM && options.yes !== true) {
        command.error('error: a list on standard input needs --yes');
      }
      return run(async (db, terminal) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const names = options.file === undefined ? contacts : await readNames(options.file);
        return eraseAll(workspace, db, terminal, names, options);
      });
    });
}

function parseShort(value: string): string {
  return parseText(value, REFERENCE_MAX);
}

function parseReason(value: string): string {
  return parseText(value, REASON_MAX);
}

function parseText(value: string, max: number): string {
  const trimmed = value.trim();
  if (trimmed !== '' && trimmed.length <= max) return trimmed;
  throw new InvalidArgumentError(`It must have from 1 to ${max} characters.`);
}

function exportPerson(
  workspace: Workspace,
  db: Database,
  contact: string,
  format: PersonFormat,
  file: string,
): Promise<string> {
  return writeOutput(file, async (send) => {
    const now = Date.now();
    const uuid = await logPersonExport(workspace, db, contact, format, COMMAND, now);
    if (uuid === null) throw new CommandError(NOBODY);
    const person = await readPerson(workspace, db, uuid, now);
    if (person === null) throw new CommandError(NOBODY);
    await send(formatPerson[format](person));
    return uuid;
  });
}

async function readNames(file: string): Promise<string[]> {
  const lines = (await text(openInput(file).source)).split(/\r?\n/);
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

type Outcome = ({ outcome: 'erased'; contact: string } & Counts) | { outcome: 'erased before' | 'unknown' | 'refused' };

const COUNTS = ['identities', 'events', 'changes', 'log_lines', 'other_log_lines'] as const;
type Counts = Pick<ErasurePreview, (typeof COUNTS)[number]>;

async function eraseAll(
  workspace: Workspace,
  db: Database,
  terminal: Terminal,
  names: readonly string[],
  options: EraseOptions,
): Promise<CommandResult> {
  const finish = () =>
    finishErasures(workspace, db, {
      now: Date.now,
      onDeleted: (() => {
        let deleted = 0;
        return (rows: number) => terminal.progress(null, `deleted ${count((deleted += rows))} events and counters`);
      })(),
    });
  // What an earlier command has left.
  await finish();
  const named = await preview(workspace, db, terminal, names, options.also ?? []);
  const isAnybody = named.some(({ contact }) => contact !== null);
  if (isAnybody && options.yes !== true && !(await confirm(terminal))) {
    throw new CommandError('Nothing was erased.');
  }
  const outcomes: Outcome[] = [];
  for (const [index, one] of named.entries()) {
    const outcome = await eraseOne(workspace, db, one, options).catch((error: unknown): Outcome => {
      if (!(error instanceof InvalidErasureError)) throw error;
      terminal.say(`${index + 1}: ${error.message}`);
      return { outcome: 'refused' };
    });
    outcomes.push(outcome);
    if (outcome.outcome !== 'refused') terminal.say(`${index + 1}: ${describe(outcome)}`);
    // Only now, so that a command killed meanwhile has printed who it erased.
    await finish();
  }
  const failed = outcomes.filter(({ outcome }) => outcome === 'unknown' || outcome === 'refused').length;
  const erased = outcomes.filter(({ outcome }) => outcome === 'erased').length;
  return {
    value: { erased, failed, outcomes },
    text: `Erased: ${count(erased)}. Not erased: ${count(failed)}.`,
    isPartial: failed > 0,
  };
}

/** The UUID of the contact that had the name when it was shown what would be erased: somebody else may have it once that is confirmed. */
type Named = { name: string; contact: string | null };

async function preview(
  workspace: Workspace,
  db: Database,
  terminal: Terminal,
  names: readonly string[],
  also: readonly string[],
): Promise<Named[]> {
  const total: Counts = { identities: 0, events: 0, changes: 0, log_lines: 0, other_log_lines: 0 };
  const named: Named[] = [];
  const questions: string[] = [];
  for (const [index, name] of names.entries()) {
    const found = await previewErasure(workspace, db, name, also);
    named.push({ name, contact: found?.contact ?? null });
    if (found === null) continue;
    for (const key of COUNTS) total[key] += found[key];
    questions.push(...describeUnclear(found).map((sentence) => `${index + 1}: ${sentence}`));
  }
  const contacts = named.filter(({ contact }) => contact !== null).length;
  terminal.say(
    `To erase: ${count(contacts)} of ${count(names.length)} named. ` +
      `Events: ${count(total.events)}. Changes: ${count(total.changes)}. Identities: ${count(total.identities)}. ` +
      `Log entries about others: ${count(total.other_log_lines)}.`,
  );
  for (const question of questions) terminal.say(question);
  return named;
}

/** What stays of a person, or may be theirs, and how it goes too. */
function describeUnclear({ unclear, has_more_identities }: ErasurePreview): string[] {
  const lines = unclear.map(({ value, how, log_lines }) => {
    const what = how === 'had' ? 'Others had' : 'Texts about others contain';
    const named = toPrintable(JSON.stringify(value));
    return `${what} ${named} in ${count(log_lines)} log entries. They stay; --also ${named} clears them.`;
  });
  const more = 'It had too many identities: only the latest are refused and searched for in the log.';
  return has_more_identities ? [...lines, more] : lines;
}

async function confirm(terminal: Terminal): Promise<boolean> {
  terminal.say(`This can't be undone. Type "${CONFIRMATION}" to continue:`);
  return (await readAnswer()) === CONFIRMATION;
}

async function eraseOne(
  workspace: Workspace,
  db: Database,
  { name, contact: uuid }: Named,
  { reference, reason, also }: EraseOptions,
): Promise<Outcome> {
  const request = {
    identity: null,
    ...(also !== undefined && { also }),
    ...(reference !== undefined && { reference }),
    ...(reason !== undefined && { reason }),
  };
  const erased = uuid === null ? null : await eraseContact(workspace, db, uuid, request, COMMAND, Date.now());
  if (erased !== null) {
    const { contact, identities, events, changes, log_lines, other_log_lines } = erased;
    return { outcome: 'erased', contact, identities, events, changes, log_lines, other_log_lines };
  }
  return { outcome: (await findErasureTime(workspace, db, name)) === null ? 'unknown' : 'erased before' };
}

function describe(outcome: Outcome): string {
  if (outcome.outcome === 'unknown') return NOBODY;
  if (outcome.outcome !== 'erased') return 'Already erased.';
  const { contact, events, changes } = outcome;
  return `Erased contact ${contact}. Events: ${count(events)}. Changes: ${count(changes)}.`;
}

function throwCommandError(error: unknown): never {
  throw error instanceof InvalidErasureError ? new CommandError(error.message) : error;
}

const timeOrNull = (time: number | null) => (time === null ? null : timestamp(time));

function toErasureList(erasures: readonly StoredErasure[]): CommandResult {
  const value = erasures.map(({ contact_uuid: contact, reference, identity_count: identities, ...times }) => ({
    contact,
    reference,
    identities,
    erased_at: timestamp(times.erased_at),
    finished_at: timeOrNull(times.finished_at),
    lifted_at: timeOrNull(times.lifted_at),
  }));
  const lines = erasures.map(({ contact_uuid, reference, identity_count, erased_at, finished_at, lifted_at }) =>
    [
      spellDate(erased_at),
      contact_uuid,
      `identities ${count(identity_count)}`,
      ...(reference === null ? [] : [`request ${toPrintable(reference)}`]),
      ...(finished_at === null ? ['deleting events'] : []),
      ...(lifted_at === null ? [] : [`lifted ${spellDate(lifted_at)}`]),
    ].join('  '),
  );
  return { value, text: lines.join('\n') || 'Nobody was erased.' };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
