import { spawn } from 'node:child_process';
import { describeMissingNamespace, isInNamespace, wrapInNamespace } from '../programs/namespace.ts';
import { fetchNameServers, fetchSecondOpinions } from '../programs/nameServers.ts';
import { obtainPostgres } from '../programs/postgresPrograms.ts';

// `npm run lab -- COMMAND ARGS` runs the command in a network namespace of the lab, and exits with its exit code.
// Nothing can be fetched in there, so what tests in the lab need is fetched before.

const command = process.argv.slice(2);
const reason = command.length === 0 ? 'Say what to run: npm run lab -- COMMAND ARGS' : describeMissingNamespace();
if (reason === null) {
  const fetchPostgres = process.env.TEST_POSTGRES ? [obtainPostgres] : [];
  if (!isInNamespace())
    for (const fetchOne of [fetchNameServers, fetchSecondOpinions, ...fetchPostgres]) tryToFetch(fetchOne);
  const [file = '', ...args] = wrapInNamespace(command);
  const child = spawn(file, args, { stdio: 'inherit' });
  // A terminal sends these signals to the command as well.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('close', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
  });
} else {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}

/** The command may need none of it, so that it runs without. What needs it reports it, too. */
function tryToFetch(fetchOne: () => unknown): void {
  try {
    fetchOne();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
  }
}
