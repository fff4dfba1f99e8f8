import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

// Rules for imports as data. Imports are parsed by oxc, because TypeScript 7 has no API.

type ImportRule = {
  /** The files of the rule. The first rule that matches a file counts. */
  readonly files: RegExp;
  /** What they may import: a path from the root of the project, or the name of a package. */
  readonly may: RegExp;
};

/** The folders of the console, and which others each may import; docs/architecture.md has the same table. `main.tsx` starts it. */
export const SRC_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  url: [],
  journal: [],
  ui: [],
  api: ['ui'],
  contact: ['api', 'ui'],
  list: ['contact', 'ui'],
  session: ['api', 'ui', 'url'],
  table: ['api', 'session', 'ui', 'url'],
  shell: ['api', 'journal', 'session', 'ui', 'url'],
  contacts: ['api', 'contact', 'session', 'table', 'ui', 'url'],
  desk: ['api', 'contact', 'journal', 'list', 'session', 'table', 'ui', 'url'],
  domains: ['api', 'session', 'table', 'ui', 'url'],
  overview: ['api', 'contact', 'session', 'ui', 'url'],
  log: ['api', 'contact', 'session', 'table', 'ui', 'url'],
  people: ['api', 'session', 'table', 'ui', 'url'],
  app: ['contacts', 'desk', 'domains', 'log', 'overview', 'people', 'session', 'shell', 'url'],
};

/** The folders of the service, and which others each may import; docs/architecture.md has the same table. Those in `server/` itself assemble them. */
export const SERVER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  limiter: [],
  terminal: [],
  console: [],
  dns: ['limiter'],
  settings: ['dns'],
  metrics: ['settings'],
  'database/migrations': ['database'],
  'database/sqlite': ['database', 'database/migrations', 'limiter'],
  'database/postgres': ['database', 'database/migrations', 'limiter'],
  database: ['database/migrations', 'database/sqlite', 'database/postgres', 'limiter'],
  http: ['database', 'metrics', 'settings'],
  workspaces: ['database', 'http'],
  contacts: ['database', 'http'],
  log: ['contacts', 'database', 'http'],
  person: ['contacts', 'database', 'http', 'settings', 'workspaces'],
  domains: ['database', 'dns', 'http', 'limiter', 'metrics', 'settings', 'workspaces'],
  people: ['database', 'http', 'workspaces'],
  sessions: ['database', 'http', 'metrics', 'people', 'settings', 'workspaces'],
  oidc: ['database', 'http', 'people', 'sessions', 'settings'],
  gateway: ['dns', 'domains', 'http', 'metrics', 'sessions', 'settings'],
  demo: ['contacts', 'database', 'dns', 'domains', 'workspaces'],
  admin: [
    'contacts',
    'database',
    'database/migrations',
    'database/postgres',
    'database/sqlite',
    'domains',
    'log',
    'people',
    'person',
    'sessions',
    'terminal',
    'workspaces',
  ],
  dnsCheck: ['dns', 'domains', 'settings', 'terminal'],
};

/** Matches packages, not folders of ours. */
const PACKAGES = '(?!(src|server|e2e|bench|lab|drill)/)';

/** A pattern for the files of a folder of the service. `database` does not include its subfolders. */
function inFolder(folder: string): string {
  return folder === 'database' ? 'database/[^/]+$' : `${folder}/`;
}

const importRules: readonly ImportRule[] = [
  { files: /^contract\/.*\.test\.ts$/, may: /^(contract\/|zod|vitest$|fast-check$|@seriousme\/|node:)/ },
  { files: /^contract\//, may: /^(contract\/|zod(\/|$))/ },
  // Only tests may import the lab and `server/testing`.
  { files: /^server\/(testing\/|.*\.test\.ts$)/, may: /^(?!src\/|e2e\/|bench\/|drill\/)/ },
  // A released step never changes, so it names nothing that may change: it has its own SQL and numbers.
  {
    files: /^server\/database\/migrations\//,
    may: new RegExp(`^(server/database/(migrations/|(tables|chunks|databaseErrors)\\.ts$)|${PACKAGES})`),
  },
  ...Object.entries(SERVER_FOLDERS).map(([folder, others]) => ({
    files: new RegExp(`^server/${inFolder(folder)}`),
    may: new RegExp(`^(contract/|server/(${[folder, ...others].map(inFolder).join('|')})|${PACKAGES})`),
  })),
  { files: /^server\//, may: /^(?!src\/|e2e\/|bench\/|lab\/|drill\/|server\/testing\/)/ },
  { files: /^lab\//, may: /^(?!src\/|e2e\/|bench\/|drill\/)/ },
  { files: /^drill\//, may: /^(?!src\/|e2e\/)/ },
  { files: /^e2e\//, may: /^(?!src\/|server\/|bench\/|lab\/|drill\/)/ },
  { files: /^src\/(testing\/|.*\.test\.tsx?$)/, may: /^(?!server\/|e2e\/|bench\/|lab\/|drill\/)/ },
  // Only those parts of the contract that are about texts and numbers, not about resources.
  {
    files: /^src\/ui\//,
    may: /^(src\/ui\/|contract\/(csvInjection|exactNumber|invisibleCharacters)\.ts$|react(-router$|\/|$)|@mantine\/|@tabler\/)/,
  },
  ...Object.entries(SRC_FOLDERS).map(([folder, others]) => ({
    files: new RegExp(`^src/${folder}/`),
    may: inside([folder, ...others]),
  })),
  { files: /^src\/main\.tsx$/, may: inside(Object.keys(SRC_FOLDERS)) },
  // What lies in no folder of the table may import nothing, so that the table has every folder.
  { files: /^src\//, may: /^$/ },
];

/** A pattern for these folders of `src`, the contract, and packages for the browser. */
function inside(folders: readonly string[]): RegExp {
  return new RegExp(`^(contract/|src/(${folders.join('|')})/|(?!(src|server|e2e|bench|lab|drill)/|node:))`);
}

/** Matches tests in a folder, and files that only tests use. */
const TEST = String.raw`(?:.*/)?(?:test[A-Z]\w*|[\w.]+\.test)\.tsx?$`;
/** Files of the service that call Object.assign, with our own data only. */
const ASSIGNS = [
  String.raw`database/(postgres/postgresConnections|postgres/pipelinedConnections|sqlite/readThreads)\.ts$`,
  String.raw`http/rateLimitStore\.ts$`,
  String.raw`dnsCheck/polyfills\.ts$`,
];

type WordRule = { readonly files: RegExp; readonly words: readonly string[]; readonly why: string };

const wordRules: readonly WordRule[] = [
  {
    files: /^src\/(?!api\/client\.ts$)/,
    words: ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'sendBeacon'],
    why: 'src/api/client.ts is the only place that talks to the service',
  },
  {
    files: /^src\//,
    words: [
      'dangerouslySetInnerHTML',
      'innerHTML',
      'outerHTML',
      'insertAdjacentHTML',
      'setHTMLUnsafe',
      'parseHTMLUnsafe',
      'createContextualFragment',
      'DOMParser',
      'srcDoc',
      'srcdoc',
      'writeln',
    ],
    why: 'data is shown as text, never as markup',
  },
  {
    files: new RegExp(`^src/(?!${TEST}|url/urlState\\.ts$)`),
    words: ['URLSearchParams', 'useSearchParams'],
    why: 'src/url/urlState.ts is the only place that reads and writes query strings',
  },
  {
    // Vite's types declare them, so the compiler accepts them.
    files: new RegExp(`^src/(?!${TEST})`),
    words: ['process', 'Buffer', 'require'],
    why: 'a browser has no such thing',
  },
  {
    files: /^(contract|server|src)\//,
    words: ['eval', 'Function'],
    why: 'no text is ever run',
  },
  {
    // Elsewhere only with our own data: a key `__proto__` in foreign JSON would replace the prototype.
    files: new RegExp(`^(contract|src|server)/(?!${TEST}|${ASSIGNS.join('|')})`),
    words: ['assign', 'setPrototypeOf'],
    why: 'what somebody sent is copied by spreading, which leaves prototypes alone',
  },
  {
    files: new RegExp(`^server/(?!${TEST}|gateway/upstream\\.ts$|oidc/fetchWhole\\.ts$|dnsCheck/fetchDomains\\.ts$)`),
    words: ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'],
    why: 'the service calls nobody but the service behind a gateway and the provider of accounts, and the DNS check the one that lists the domains',
  },
  {
    // People and sessions are of several workspaces. The admin command and the demo create workspaces and read all of them; the backlog is counted over all
    // workspaces.
    files: new RegExp(
      `^server/(?!${TEST}|(?:database|oidc|people|sessions|workspaces|admin|demo|testing)/|domains/backlog\\.ts$)`,
    ),
    words: ['unscoped', 'kysely'],
    why: 'the rows of a workspace are reached through its scope',
  },
  {
    // A user's choice, on or off, which proposals of the demo were dismissed, and the time of a sign-out. Mantine also stores the colour scheme. The journal of the desk
    // is deleted by a sign-out; the shell only asks whether there is one.
    files: /^src\/(?!(?:ui\/settings|shell\/Shell|session\/signOutTime|journal\/journal)\.tsx?$)/,
    words: ['localStorage', 'sessionStorage', 'indexedDB', 'cookieStore', 'caches'],
    why: 'nothing of a contact and no token is kept in the browser',
  },
];

const FORBIDDEN_NAMES = /^(utils?|helpers?|common|misc|shared|types?|constants?|manager|service|lib|hooks|index)$/i;

/** The violations in a source file, as sentences. `path` is relative to the root of the project. */
export function findViolations(path: string, text: string): string[] {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) return [`${path} cannot be parsed: ${parsed.errors[0]?.message}`];
  const rule = importRules.find(({ files }) => files.test(path));
  const imports = rule ? [...listImports(parsed, text)].map((specifier) => resolve(path, specifier)) : [];
  return [
    ...path
      .split('/')
      .filter((part) => FORBIDDEN_NAMES.test(part.replace(/\..*$/, '')))
      .map((part) => `${path}: the name "${part}" says nothing about what is inside.`),
    ...imports.filter((target) => !rule?.may.test(target)).map((target) => `${path} must not import ${target}.`),
    ...findForbiddenWords(path, parsed),
  ];
}

/**
 * The circles of imports, types included, among the files of `sources` (path to text). Each is the list of its paths;
 * there is one for each file that closes a circle.
 */
export function findCircles(sources: ReadonlyMap<string, string>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const text = sources.get(path);
    if (text === undefined || done.has(path)) return;
    const start = way.indexOf(path);
    if (start !== -1) {
      circles.push([...way.slice(start), path]);
      return;
    }
    for (const target of listImports(parseSync(path, text), text)) visit(resolve(path, target), [...way, path]);
    done.add(path);
  };
  for (const path of sources.keys()) visit(path, []);
  return circles;
}

type Parsed = ReturnType<typeof parseSync>;

function listImports({ module }: Parsed, text: string): Set<string> {
  const specifiers = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest } of entries) if (moduleRequest !== null) specifiers.push(moduleRequest.value);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    specifiers.push(text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/^['"`]|['"`]$/g, ''));
  }
  return new Set(specifiers);
}

function resolve(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

function findForbiddenWords(path: string, parsed: Parsed): string[] {
  const rules = wordRules.filter(({ files }) => files.test(path));
  const faults = new Set<string>();
  const check = ({ name }: { name: string }) => {
    for (const { words, why } of rules) if (words.includes(name)) faults.add(`${path} uses ${name}, but ${why}.`);
  };
  new Visitor({ Identifier: check, JSXIdentifier: check }).visit(parsed.program);
  return [...faults];
}
