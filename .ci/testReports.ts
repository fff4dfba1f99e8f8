import { stripVTControlCharacters } from 'node:util';

/** What is read of Vitest's JSON report. */
export type UnitReport = {
  numPassedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

type BrowserSpec = {
  title: string;
  file: string;
  line: number;
  tests: { projectName: string; status: string; results: { error?: { message?: string } }[] }[];
};
type BrowserSuite = { suites?: BrowserSuite[]; specs: BrowserSpec[] };

/** What is read of Playwright's JSON report. */
export type BrowserReport = {
  stats: { expected: number };
  errors: { message?: string }[];
  suites: BrowserSuite[];
};

const REASON_LINES = 12;

/** A text for each test that did not pass, skipped ones included: its file and name, and the first lines of why. */
export function listUnitFailures({ testResults }: UnitReport): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status !== 'passed');
    // A file may fail without a test: one that cannot be loaded, or whose end fails.
    if (status === 'failed' && tests.length === 0) return describeFailure(name, message);
    return tests.map((test) =>
      describeFailure(`${name} ${test.fullName}`, test.failureMessages.join('\n') || test.status),
    );
  });
}

/** The same for the browser tests. What failed outside of a test comes first. */
export function listBrowserFailures({ errors, suites }: BrowserReport): string[] {
  const outside = errors.map(({ message }) => describeFailure('browser tests', message ?? 'an error'));
  const tests = suites
    .flatMap(listSpecs)
    .flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status !== 'expected')
        .map(({ projectName, status, results }) =>
          describeFailure(`[${projectName}] ${file}:${line} ${title}`, results.at(-1)?.error?.message ?? status),
        ),
    );
  return [...outside, ...tests];
}

function listSpecs(suite: BrowserSuite): BrowserSpec[] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(listSpecs)];
}

function describeFailure(test: string, reason: string): string {
  const lines = stripVTControlCharacters(reason).split('\n').slice(0, REASON_LINES);
  return [test, ...lines.map((line) => `  ${line}`)].join('\n');
}
