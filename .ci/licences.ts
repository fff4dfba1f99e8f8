import type { ShippedPackage } from './shippedPackages.ts';

/** Licences of packages that may be shipped. They require at most a notice, which is shipped with each package. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
]);

/** A sentence for each package whose licence is not in the list. */
export function findLicenceErrors(shipped: readonly ShippedPackage[]): string[] {
  return shipped
    .filter(({ licence }) => !alternativesOf(licence).some((each) => ALLOWED.has(each)))
    .map(({ name, licence }) => `${name} is under ${licence}.`);
}

function alternativesOf(licence: string): string[] {
  return licence.replaceAll(/[()]/g, '').split(' OR ');
}

/** The text of `docs/licences.md`, which `npm run licences` writes. */
export function licencesPage(shipped: readonly ShippedPackage[]): string {
  const table = (part: ShippedPackage['part']) => {
    const rows = shipped
      .filter((each) => each.part === part)
      .map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |\n`);
    return `| package | version | licence |\n|---|---|---|\n${rows.join('')}`;
  };
  return `# Licences

Sendroom is under the [MIT licence](../LICENSE). These packages ship with it (\`npm run licences\`).

## Service

Installed with the service, each with its licence.

${table('service')}
## Console

Built into the console's files; their texts are in \`licenses.md\` and \`licenses-font.txt\` next to them.

${table('console')}`;
}
