import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Gap, gaps } from '#contract/openapi/gaps.ts';
import { CONNECTIONS_MAX } from '../server/database/postgres/openPostgres.ts';
import { codesPage } from './codesPage.ts';
import { settingsTable } from './settingsTable.ts';
import { SERVER_FOLDERS, SRC_FOLDERS } from '../oxlint.config.ts';

// Checks that links, paths and test names in the documents exist.

const documents = globSync(['*.md', 'docs/**/*.md']);
const textOf = (file: string) => readFileSync(file, 'utf8');

/** The headings of `file` as link anchors. */
function anchorsOf(file: string): string[] {
  const headings = textOf(file).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function faultOfLink(document: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(target)) return `${document} leads to ${link}, which is not there.`;
  if (anchor === undefined || anchorsOf(target).includes(anchor)) return null;
  return `${document} leads to ${link}, and ${target} has no such heading.`;
}

test('every link of a document leads to a file or a heading that is there', () => {
  expect(documents.length).toBeGreaterThan(20);
  const faults = documents.flatMap((document) => {
    const links = textOf(document)
      .replaceAll(/^```[^]*?^```/gm, '')
      .matchAll(/(?:\]\(|src(?:set)?=")(?!\w+:)([^)"\s]+)[)"]/g);
    return [...links].flatMap(([, link = '']) => faultOfLink(document, link) ?? []);
  });
  expect(faults).toEqual([]);
});

const SOURCE_FILE = /`([\w./-]+\.tsx?)`/g;

test('every source file that a document names is there', () => {
  const files = globSync(['*.ts', '{.ci,contract,e2e,server,src,testing}/**/*.{ts,tsx}'], {
    exclude: ['**/node_modules'],
  });
  const isThere = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
  const named = documents.flatMap((document) =>
    [...textOf(document).matchAll(SOURCE_FILE)].map(([, name = '']) => ({ document, name })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !isThere(name))).toEqual([]);
});

test('the documents have the number of connections that a process keeps', () => {
  expect(textOf('docs/operations.md')).toContain(`at most ${CONNECTIONS_MAX} connections`);
  expect(textOf('docs/scaling.md')).toContain(`processes times ${CONNECTIONS_MAX} connections`);
});

test('the documents have the versions of PostgreSQL that test:all tests', () => {
  const { dependencies } = JSON.parse(textOf('testing/programs/postgresql/package.json')) as {
    dependencies: Record<string, string>;
  };
  const versions = Object.values(dependencies).map((version) => /@(\d+\.\d+)\.0-/.exec(version)?.[1] ?? '');
  expect(versions.length).toBeGreaterThanOrEqual(2);
  expect(textOf('docs/operations.md')).toContain(
    `\`npm run test:all\` on ${new Intl.ListFormat('en').format(versions).replace(', and', ' and')}`,
  );
});

test('every drill that a document names is one', () => {
  const drills = new Set(
    globSync('testing/drill/*.ts').flatMap((file) =>
      [...textOf(file).matchAll(/^ {2}(?:name: )?'([a-z-]+)',$/gm)].map(([, name]) => name),
    ),
  );
  const named = documents.flatMap((document) =>
    [...textOf(document).matchAll(/npm run drill -- ([a-z-]+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !drills.has(name ?? ''))).toEqual([]);
});

test('no file or folder has a name that says nothing', () => {
  const names = globSync('{.ci,contract,e2e,server,src,testing}/**', {
    exclude: ['**/node_modules', '**/peers'],
  });
  const empty =
    /(^|\/)(utils?|helpers?|common|misc|shared|types?|constants?|manager|service|lib|hooks|index)(\.\w+)?$/i;
  expect(names.filter((name) => empty.test(name))).toEqual([]);
});

/** The words of vitest.config.ts, in the combinations that a project runs. */
const TEST_NAME =
  /\/\w+(\.(service|engine|postgres|citus|lab)|\.dns(\.engine)?|(\.(dns|engine|postgres))?\.process)?\.test\.ts$|\/\w+(\.service)?\.test\.tsx$/;

test('the name of every test says where it runs', () => {
  const files = globSync('{.ci,contract,e2e,server,src,testing}/**/*.test.*', { exclude: ['**/node_modules'] });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !TEST_NAME.test(file))).toEqual([]);
});

/** Rows of docs/security.md, by their number. */
const statements = textOf('docs/security.md')
  .split('\n')
  .flatMap((line) => {
    const number = /^\| (\d+) \|/.exec(line)?.[1];
    return number === undefined ? [] : [[Number(number), line] as const];
  });

test('docs/security.md numbers its statements', () => {
  expect(statements.length).toBeGreaterThan(40);
  expect(statements.map(([number]) => number)).toEqual(statements.map((_, index) => index + 1));
});

test.each(statements)('the tests that docs/security.md names for statement %d are there', (_, line) => {
  // Matches a file name and the titles of tests in it.
  const named = [...line.matchAll(/`([\w./]+\.(?:test|spec)\.tsx?)`((?:,? "[^"]+")+)/g)];
  expect(named).not.toEqual([]);
  const missing = named.flatMap(([, file = '', titles = '']) => {
    const text = textOf(file);
    const isThere = (title: string) => [`'`, '"', '`'].some((quote) => text.includes(quote + title + quote));
    return [...titles.matchAll(/"([^"]+)"/g)]
      .filter(([, title = '']) => !isThere(title))
      .map(([title]) => file + title);
  });
  expect(missing).toEqual([]);
  const commands = named.flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map(([title]) =>
      /\.(process|lab)\.test/.test(file) || /@sweep|@lab/.test(title) ? 'test:all' : 'test',
    ),
  );
  expect(line.split(' | ')[3]).toBe([...new Set(commands)].toSorted().join(', '));
  const files = [...line.matchAll(/`([\w.]+\/[\w./]+\.\w+)`/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test('the architecture has the folders of the console and of the service, and what each may import', () => {
  const rows = [...textOf('docs/architecture.md').matchAll(/^\| `([\w/]+)` \| [^|]+ \|([^|]*)\|$/gm)];
  const table = rows.map(([, folder, others = '']) => [folder, others.split(',').flatMap((name) => name.trim() || [])]);
  const ofConsole = Object.entries(SRC_FOLDERS).map(([folder, others]) => [`src/${folder}`, others]);
  expect(Object.fromEntries(table)).toEqual({ ...Object.fromEntries(ofConsole), ...SERVER_FOLDERS });
});

test('docs/operations.md has the settings as they are (npm run settings)', () => {
  expect(textOf('docs/operations.md')).toContain(`\n\n${settingsTable()}\n`);
});

test('docs/dns-codes.md is what the catalogue prints (npm run codes)', () => {
  expect(textOf('docs/dns-codes.md')).toBe(codesPage());
});

test('docs/gaps.md has what OpenAPI says of what is not shown', () => {
  const rows = textOf('docs/gaps.md').split('\n');
  const isListed = ({ silent, choice }: Gap) =>
    rows.some((row) => row.startsWith(`| ${silent} (not shown) | `) && row.endsWith(` | ${choice} |`));
  expect(gaps.filter((gap) => !isListed(gap))).toEqual([]);
});
