import manifest from '../../package.json' with { type: 'json' };

/** Version of this program, as its package says it. */
export const VERSION: string = manifest.version;

/** The shell command for one of Sendroom's commands, from the sources or from the built package, whichever is running. */
export function commandLine(command: 'admin' | 'dns-check'): string {
  return import.meta.filename.endsWith('.ts') ? `npm run ${command} --` : `sendroom ${command}`;
}
