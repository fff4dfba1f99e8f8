import { defineConfig, type OxlintOverride } from 'oxlint';

/** The folders of the console, and which others each may import; docs/architecture.md has the same table. */
export const SRC_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  url: [],
  'bulk/journal': [],
  ui: [],
  api: ['ui'],
  identity: ['api', 'ui'],
  listParser: ['identity', 'ui'],
  session: ['api', 'ui', 'url'],
  table: ['api', 'session', 'ui', 'url'],
  shell: ['api', 'bulk/journal', 'session', 'ui', 'url'],
  contacts: ['api', 'identity', 'session', 'table', 'ui', 'url'],
  imports: ['api', 'identity', 'listParser', 'session', 'ui', 'url'],
  bulk: ['api', 'bulk/journal', 'identity', 'listParser', 'session', 'table', 'ui', 'url'],
  domains: ['api', 'session', 'table', 'ui', 'url'],
  sharedLink: ['api', 'domains', 'ui'],
  overview: ['api', 'contacts', 'domains', 'identity', 'session', 'ui', 'url'],
  auditLog: ['api', 'identity', 'session', 'table', 'ui', 'url'],
  members: ['api', 'session', 'table', 'ui', 'url'],
  notifications: ['api', 'members', 'session', 'table', 'ui', 'url'],
  app: [
    'auditLog',
    'bulk',
    'imports',
    'contacts',
    'domains',
    'members',
    'notifications',
    'overview',
    'session',
    'shell',
    'ui',
    'url',
  ],
};

const DATABASE = ['database', 'database/postgres', 'database/sqlite'];

/** The folders of the service, and which others each may import; docs/architecture.md has the same table. */
export const SERVER_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  limiter: [],
  'cli/terminal': [],
  console: ['http'],
  dns: ['limiter'],
  settings: ['dns'],
  metrics: ['settings'],
  'database/sqlite': ['database', 'limiter'],
  'database/postgres': ['database', 'limiter'],
  database: ['database/sqlite', 'database/postgres', 'limiter'],
  http: ['database', 'metrics', 'settings'],
  workspaces: ['database', 'http'],
  contacts: ['database', 'http'],
  auditLog: ['contacts', 'database', 'http'],
  privacy: ['contacts', 'database', 'http', 'limiter', 'settings', 'workspaces'],
  retention: ['database', 'http', 'settings', 'workspaces'],
  notifications: ['database', 'dns', 'http', 'settings', 'workspaces'],
  domains: ['database', 'dns', 'http', 'limiter', 'metrics', 'notifications', 'settings', 'workspaces'],
  members: ['database', 'http', 'workspaces'],
  sessions: ['database', 'http', 'members', 'metrics', 'settings', 'workspaces'],
  oidc: ['database', 'http', 'members', 'sessions', 'settings'],
  gateway: ['dns', 'domains', 'http', 'metrics', 'sessions', 'settings'],
  demo: ['contacts', 'database', 'dns', 'domains', 'notifications', 'workspaces'],
  'cli/admin': [
    'auditLog',
    'cli/terminal',
    'contacts',
    ...DATABASE,
    'domains',
    'members',
    'notifications',
    'privacy',
    'retention',
    'sessions',
    'workspaces',
  ],
  'cli/dnsCheck': ['cli/terminal', 'dns', 'domains', 'settings'],
};

/** Folders that hold a folder of the tables above: what else is in them. */
const PARTS: Readonly<Record<string, string>> = {
  bulk: 'bulk/((reading|run)/)?[^/]+$',
  database: 'database/((changeLog|paging|schema|search)/)?[^/]+$',
};

/** Tests, and files that only tests use. */
const TESTS = ['**/*.test.ts', '**/*.test.tsx', '**/testing/**', '**/test[A-Z]*.ts*'];
const PROGRAMS = ['e2e', 'bench', 'drill', 'lab'];

/** Matches imports of these folders, from anywhere below or next to them. */
function imports(folders: readonly string[]): string {
  const paths = folders.map((folder) => {
    if (PROGRAMS.includes(folder)) return `(testing/)?${folder}/`;
    const [parent, inner] = folder.split('/');
    return PARTS[folder] ?? (inner === undefined ? `${parent}/` : `(${parent}/)?${inner}/`);
  });
  return String.raw`^\.\.?/(\.\./)*(${paths.join('|')})`;
}

const forbid = (...regexes: string[]): OxlintOverride['rules'] => ({
  'no-restricted-imports': ['error', { patterns: regexes.map((regex) => ({ regex })) }],
});

/** The folders of `table` inside `folder`: they have their own rule. */
function inner(table: typeof SRC_FOLDERS, folder: string): string[] {
  return Object.keys(table).flatMap((other) => (other.startsWith(`${folder}/`) ? [`**/${other}/**`] : []));
}

/** One rule for each folder: what of the others it may not import. */
function folderRules(root: string, table: typeof SRC_FOLDERS, ...more: string[]): OxlintOverride[] {
  return Object.entries(table).map(([folder, allowed]) => {
    const others = Object.keys(table).filter((other) => other !== folder && !allowed.includes(other));
    return {
      files: [`${root}/${folder}/**`],
      excludeFiles: [...TESTS, ...inner(table, folder)],
      rules: forbid(
        imports([...others, 'src', 'server', 'testing', ...PROGRAMS].filter((one) => one !== root)),
        ...more,
      ),
    };
  });
}

type Restriction = { globals?: readonly string[]; properties?: readonly string[]; why: string };

const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'];
const prototypes: Restriction = {
  // A key `__proto__` in foreign JSON would replace the prototype.
  properties: ['Object.assign', 'Object.setPrototypeOf', 'Reflect.setPrototypeOf'],
  why: 'Spread what somebody sent: that leaves prototypes alone.',
};
/** What no file of the console may use. */
const CONSOLE = {
  network: {
    globals: NETWORK,
    properties: ['globalThis.fetch', 'window.fetch', 'navigator.sendBeacon'],
    why: 'src/api/client.ts is the only place that talks to the service.',
  },
  markup: {
    globals: ['DOMParser'],
    properties: [
      'innerHTML',
      'outerHTML',
      'insertAdjacentHTML',
      'setHTMLUnsafe',
      'parseHTMLUnsafe',
      'createContextualFragment',
      'srcdoc',
      'writeln',
    ],
    why: 'Data is shown as text, never as markup.',
  },
  query: {
    globals: ['URLSearchParams'],
    why: 'src/url/urlState.ts is the only place that reads and writes query strings.',
  },
  // Vite's types declare them, so the compiler accepts them.
  node: { globals: ['process', 'Buffer', 'require'], why: 'A browser has no such thing.' },
  storage: {
    globals: ['localStorage', 'sessionStorage', 'indexedDB', 'cookieStore', 'caches'],
    properties: ['window.localStorage', 'window.sessionStorage', 'window.indexedDB', 'window.caches'],
    why: 'No contact and no token is kept in the browser.',
  },
  prototypes,
} satisfies Record<string, Restriction>;
/** What no file of the service may use. */
const SERVICE = {
  network: {
    globals: NETWORK,
    properties: ['globalThis.fetch'],
    why: 'The service calls only the service behind a gateway and the account provider; the DNS check the one that lists domains.',
  },
  unscoped: { properties: ['unscoped', 'kysely'], why: 'The rows of a workspace are reached through its scope.' },
  prototypes,
} satisfies Record<string, Restriction>;

/** Restricts `files` to what `restrictions` leave. A later override replaces an earlier one. */
function restrict(files: string[], restrictions: readonly Restriction[]): OxlintOverride {
  const globals = restrictions.flatMap(({ globals: names = [], why }) => names.map((name) => ({ name, message: why })));
  const properties = restrictions.flatMap(({ properties: paths = [], why }) =>
    paths.map((path) => {
      const [property = '', object] = path.split('.').toReversed();
      return { property, ...(object !== undefined && { object }), message: why };
    }),
  );
  return {
    files,
    excludeFiles: TESTS,
    rules: {
      'no-restricted-globals': globals.length === 0 ? 'off' : ['error', ...globals],
      'no-restricted-properties': properties.length === 0 ? 'off' : ['error', ...properties],
    },
  };
}

function without<Name extends string>(all: Record<Name, Restriction>, ...names: Name[]): Restriction[] {
  return Object.entries<Restriction>(all).flatMap(([name, one]) => (names.includes(name as Name) ? [] : [one]));
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'react/react-in-jsx-scope': 'off',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/no-danger': 'error',
    'react/forbid-dom-props': ['error', { forbid: ['srcDoc'] }],
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-await-in-loop': 'off',
    'no-eval': 'error',
    'no-new-func': 'error',
    'no-console': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/consistent-type-definitions': ['error', 'type'],
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-unassigned-import': 'off',
    'no-shadow': 'off',
    'promise/valid-params': 'off',
    'promise/always-return': 'off',
    'typescript/consistent-return': 'off',
    'oxc/no-map-spread': 'off',
    'jsx-a11y/control-has-associated-label': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'unicorn/prefer-add-event-listener': 'off',
  },
  overrides: [
    { files: ['*.config.ts', '*.config.mjs'], rules: { 'import/no-default-export': 'off' } },
    {
      files: [
        'server/admin.ts',
        'server/{admin,dnsCheck}.ts',
        'server/main.ts',
        'server/bin/**',
        '.ci/**',
        'testing/**',
        'e2e/**',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['{contract,server,src}/**'],
      excludeFiles: TESTS,
      rules: { 'max-lines-per-function': ['error', { max: 60 }] },
    },

    // Imports between folders.
    { files: ['contract/**'], excludeFiles: TESTS, rules: forbid(String.raw`^([^.#z]|z[^o]|\.\./|#[^c])`) },
    { files: ['contract/**/*.test.ts'], rules: forbid(String.raw`^\.\./`) },
    { files: ['server/*.ts'], rules: forbid(imports(['src', 'e2e', 'bench', 'lab', 'drill', 'testing'])) },
    { files: ['server/testing/**', 'server/**/*.test.ts'], rules: forbid(imports(['src', 'e2e', 'bench', 'drill'])) },
    ...folderRules('server', SERVER_FOLDERS),
    // A released step never changes, so it names nothing that may change: it has its own SQL and numbers.
    {
      files: [
        'server/database/schema/{schema,attributeValues,domainMemory,heads,moves,retention,runs,savedViews,signless,suppressions}.ts',
      ],
      rules: forbid(String.raw`^(\.\./|\./([^adhmrst]|a[^t]|d[^o]|h[^e]|m[^o]|r[^eu]|s[^aiu]|t[^a]))`),
    },
    { files: ['testing/lab/**'], rules: forbid(imports(['src', 'e2e', 'bench', 'drill', '.ci'])) },
    { files: ['testing/drill/**'], rules: forbid(imports(['src', 'bench', 'lab', '.ci'])) },
    { files: ['testing/bench/**'], rules: forbid(imports(['src', 'drill', 'lab', '.ci'])) },
    { files: ['e2e/**'], rules: forbid(imports(['src', 'server', 'bench', 'lab', 'drill'])) },
    { files: ['testing/programs/**'], rules: forbid(imports(['src', 'server', 'e2e', 'bench', 'drill'])) },
    {
      files: ['src/testing/**', 'src/**/*.test.ts', 'src/**/*.test.tsx'],
      rules: forbid(imports(['server', ...PROGRAMS])),
    },
    ...folderRules('src', SRC_FOLDERS, '^node:'),
    // Of the contract only what is about texts and numbers, not about resources.
    {
      files: ['src/ui/**'],
      excludeFiles: TESTS,
      rules: forbid(
        imports([...Object.keys(SRC_FOLDERS).filter((name) => name !== 'ui'), 'server', 'testing', ...PROGRAMS]),
        '^#contract/([^v]|v[^a])',
        '^(node:|@tanstack/|papaparse|idb)',
      ),
    },

    // What a file may use.
    restrict(['src/**'], without(CONSOLE)),
    restrict(['src/api/client.ts'], without(CONSOLE, 'network')),
    restrict(['src/url/urlState.ts'], without(CONSOLE, 'query')),
    // A user's choices, dismissed proposals of the demo, the time of a sign-out; the journal is deleted by a sign-out.
    restrict(
      ['src/ui/page/settings.ts', 'src/shell/Shell.tsx', 'src/session/remoteService.ts', 'src/bulk/journal/journal.ts'],
      without(CONSOLE, 'storage'),
    ),
    restrict(['contract/**'], [prototypes]),
    restrict(['server/**'], without(SERVICE)),
    // People and sessions are of several workspaces. The admin command and the demo create workspaces and read all of them.
    restrict(
      [
        'server/{database,oidc,members,sessions,workspaces,cli/admin,demo}/**',
        'server/domains/{checks/backlog,share/findSharedLink}.ts',
      ],
      without(SERVICE, 'unscoped'),
    ),
    restrict(['server/gateway/upstream.ts', 'server/cli/dnsCheck/fetchDomains.ts'], without(SERVICE, 'network')),
    restrict(['server/oidc/fetchWhole.ts'], without(SERVICE, 'network', 'unscoped')),
    // They assign our own data only.
    restrict(
      ['server/database/{postgres/postgresConnections,postgres/pipelinedConnections,sqlite/readThreads}.ts'],
      without(SERVICE, 'unscoped', 'prototypes'),
    ),
    restrict(['server/http/rateLimitStore.ts', 'server/cli/dnsCheck/polyfills.ts'], without(SERVICE, 'prototypes')),
  ],
  ignorePatterns: ['dist', 'dist-static', 'data', 'node_modules', 'testing/bench/peers/'],
});
