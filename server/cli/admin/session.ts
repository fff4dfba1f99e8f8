import type { Command } from 'commander';
import type { SignedIn } from '#contract/members.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import { findListedSession, listSessions } from '../../sessions/listSessions.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError } from '../terminal/terminal.ts';
import { parseUuid, workspaceCommand } from './arguments.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

type WorkspaceOption = { workspace: string };

/** More are left out. */
const LISTED_MAX = 10_000;

export function addSessionCommands(program: Command, run: RunWithDatabase): void {
  const session = program.command('session').description('list and end console sessions');

  workspaceCommand(session, 'list', 'list sessions, newest first').action((options: WorkspaceOption) =>
    run(async (db) => {
      const workspace = await requireWorkspace(db, options.workspace);
      const query = { page: 1, per_page: LISTED_MAX, search: '', sorting: [], filters: {} };
      const { data } = await listSessions(workspace, db, { owner: null, current: null }, query, Date.now());
      return toSessionList(data);
    }),
  );

  workspaceCommand(session, 'end', 'end a session, from its next request')
    .argument('<session>', 'session UUID, from session list', parseUuid)
    .action((uuid: string, options: WorkspaceOption) =>
      run(async (db) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const found = await findListedSession(workspace, db, uuid, null);
        if (found === null) throw new CommandError('Unknown session. See session list.');
        const line = { action: 'session_end', author: COMMAND, details: found.details } as const;
        // First, so that no session ends without it.
        await db.write(workspace, (scope) => writeLog(scope, [line], Date.now()));
        await db.unscoped.write((trx) => trx.deleteFrom('sessions').where('hash', '=', found.hash).execute());
        return { value: { uuid, ended: true }, text: 'The session has ended.' };
      }),
    );
}

function toSessionList(sessions: SignedIn[]): CommandResult {
  const lines = sessions.map(({ uuid, person, token, created_at, seen_at }) => {
    const who = person === null ? `token ${token ?? ''}` : (person.name ?? person.email);
    return [uuid, `started ${created_at}`, `seen ${seen_at}`, toPrintable(who)].join('  ');
  });
  const text = lines.join('\n') || 'Nobody is signed in.';
  return { value: sessions, text };
}
