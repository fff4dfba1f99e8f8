/** How a person who has Sendroom as we have calls one of its commands: from its sources, or as the package that was built of them. */
export function commandLine(command: 'admin' | 'dns-check'): string {
  return import.meta.filename.endsWith('.ts') ? `npm run ${command} --` : `sendroom ${command}`;
}
