import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CheckCompletion, CheckLine } from '#contract/dnsCheck.ts';
import type { Domain } from '#contract/domain.ts';
import { must } from '#contract/must.ts';
import type { Workspace } from '../database/workspace.ts';
import { RCODES } from '../dns/nameServer.ts';
import { NS1, NS2, RESOLVER, startTestDns, type TestDns } from '../testing/testDns.ts';
import { createRequiredRecords, importDomain, publishAddresses, RIGHT_ADDRESS } from '../testing/testDomains.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import { summarizeDomains } from './countStates.ts';

// What checks make of the states that a domain was imported with: a failure never raises one, however old the stored verdicts.

let dns: TestDns;
let service: TestService;
let workspace: Workspace;
let token: string;

beforeAll(async () => {
  dns = await startTestDns();
  service = await startTestService({ dnsClient: dns.dnsClient() });
  workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: null }, service.clock.now);
  ({ token } = await createToken(workspace, service.database, { name: 'test', role: 'admin' }, service.clock.now));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});
afterEach(() => {
  for (const address of [RESOLVER, NS1, NS2]) dns.misbehave[address] = () => undefined;
});

type States = Pick<Domain, 'verified' | 'mail_from_verified' | 'status' | 'verification'>;
const statesOf = (verified: boolean, mail_from_verified: boolean, word: string): States => ({
  verified,
  mail_from_verified,
  status: word,
  verification: word,
});

const NEW = statesOf(false, false, 'pending');
const FAILED = statesOf(false, false, 'failed');
const HALF = statesOf(true, false, 'pending');
const WAITING = statesOf(true, true, 'pending');
const RIGHT = statesOf(true, true, 'completed');
/** Words that an import has set and that are not ours. */
const THROTTLED = statesOf(false, false, 'throttled');

type Found = 'ok' | 'fail' | 'pending' | 'unknown';
/** What a check finds of the two records of the domain and the one of its MAIL FROM name, so many minutes after the one before. */
type Check = readonly [minutes: number, dkim1: Found, dkim2: Found, bounce: Found];

const HOSTS = ['dkim1', 'dkim2', 'bounce'];

let count = 0;

/** The domain as the last check tells it. */
async function walk(before: States, stored: boolean, checks: readonly Check[]): Promise<Domain> {
  const name = `s${count++}.dev`;
  publishAddresses(dns, name, {});
  const records = createRequiredRecords(name, HOSTS, stored);
  const imported = { name, mail_from_domain: `bounce.${name}`, dns: records, ...before };
  const uuid = await importDomain(workspace, service.database, imported, service.clock.now);
  let last: CheckCompletion | null = null;
  for (const [minutes, ...found] of checks) {
    service.clock.now += minutes * 60_000;
    publish(name, new Map(HOSTS.map((host, index) => [`${host}.${name}`, must(found[index] ?? null)])));
    const response = await service.call(`/v1/domains/${uuid}/check`, { method: 'POST', token });
    const lines = (await response.text()).trim().split('\n');
    const read = lines.map((line) => CheckLine.parse(JSON.parse(line)));
    const findings = read.flatMap((line) => (line.kind === 'record' ? line : []));
    const results = findings.toSorted((one, other) => one.index - other.index).map(({ finding }) => finding.result);
    expect(results).toEqual(found);
    last = read.find((line) => line.kind === 'end') ?? null;
  }
  return must(last).domain;
}

/** Sets the zone and how servers answer, so that a check finds this of each name. */
function publish(zone: string, found: ReadonlyMap<string, Found>): void {
  const published = [...found].filter(([, result]) => result !== 'fail');
  publishAddresses(dns, zone, Object.fromEntries(published.map(([name]) => [name.split('.')[0] ?? '', RIGHT_ADDRESS])));
  for (const address of [RESOLVER, NS1, NS2]) {
    dns.misbehave[address] = ({ name }) => {
      if (found.get(name) === 'unknown') return { flags: RCODES.REFUSED };
      return found.get(name) === 'pending' && address === RESOLVER ? { flags: RCODES.NXDOMAIN } : undefined;
    };
  }
}

type Case = readonly [found: string, checks: readonly Check[], expected: readonly (readonly [States, States])[]];

const ALL_FAIL = ['fail', 'fail', 'fail'] as const;
const ALL_UNKNOWN = ['unknown', 'unknown', 'unknown'] as const;
const ALL_PENDING = ['pending', 'pending', 'pending'] as const;
const ALL_OK = ['ok', 'ok', 'ok'] as const;

/** A row for each domain, with its states in words for the title of the test. */
const rowsOf = (cases: readonly Case[]) =>
  cases.flatMap(([found, checks, expected]) =>
    expected.map(([before, after]) => ({ found, checks, before, after, from: inWords(before), to: inWords(after) })),
  );

const inWords = ({ verified, mail_from_verified, status }: States) =>
  `${status}${verified ? ', verified' : ''}${mail_from_verified ? ', MAIL FROM verified' : ''}`;

const each = (...states: States[]) => states.map((one) => [one, one] as const);

describe('all records are stored as valid', () => {
  const CASES: readonly Case[] = [
    [
      'all is right',
      [[0, ...ALL_OK]],
      [
        [NEW, RIGHT],
        [FAILED, RIGHT],
        [HALF, RIGHT],
        [WAITING, RIGHT],
        [RIGHT, RIGHT],
        [THROTTLED, statesOf(true, true, 'throttled')],
      ],
    ],
    ['all fails', [[0, ...ALL_FAIL]], each(NEW, FAILED, HALF, WAITING, RIGHT, THROTTLED)],
    [
      'all fails twice within five minutes',
      [
        [0, ...ALL_FAIL],
        [4, ...ALL_FAIL],
      ],
      each(NEW, FAILED, HALF, WAITING, RIGHT, THROTTLED),
    ],
    [
      'all fails for five minutes',
      [
        [0, ...ALL_FAIL],
        [5, ...ALL_FAIL],
      ],
      [
        [NEW, NEW],
        [FAILED, FAILED],
        [HALF, NEW],
        [WAITING, NEW],
        [RIGHT, FAILED],
        [THROTTLED, THROTTLED],
      ],
    ],
    [
      'all fails once and is right then',
      [
        [0, ...ALL_FAIL],
        [1, ...ALL_OK],
      ],
      [
        [NEW, RIGHT],
        [FAILED, RIGHT],
        [RIGHT, RIGHT],
      ],
    ],
    [
      'one of the domain fails',
      [[0, 'ok', 'fail', 'ok']],
      [
        [NEW, statesOf(false, true, 'pending')],
        [FAILED, statesOf(false, true, 'failed')],
        [HALF, RIGHT],
        [WAITING, WAITING],
        [RIGHT, RIGHT],
      ],
    ],
    [
      'one of the domain fails for five minutes',
      [
        [0, 'ok', 'fail', 'ok'],
        [5, 'ok', 'fail', 'ok'],
      ],
      [
        [NEW, statesOf(false, true, 'pending')],
        [FAILED, statesOf(false, true, 'failed')],
        [HALF, statesOf(false, true, 'failed')],
        [WAITING, statesOf(false, true, 'pending')],
        [RIGHT, statesOf(false, true, 'failed')],
      ],
    ],
    [
      'one fails, and cannot be asked then',
      [
        [0, 'ok', 'fail', 'ok'],
        [5, 'ok', 'unknown', 'ok'],
      ],
      [
        [NEW, statesOf(false, true, 'pending')],
        [RIGHT, RIGHT],
      ],
    ],
    [
      'that of the MAIL FROM name fails',
      [[0, 'ok', 'ok', 'fail']],
      [
        [NEW, HALF],
        [FAILED, statesOf(true, false, 'failed')],
        [HALF, HALF],
        [WAITING, WAITING],
        [RIGHT, RIGHT],
      ],
    ],
    [
      'that of the MAIL FROM name fails for five minutes',
      [
        [0, 'ok', 'ok', 'fail'],
        [5, 'ok', 'ok', 'fail'],
      ],
      [
        [NEW, HALF],
        [RIGHT, statesOf(true, false, 'failed')],
      ],
    ],
    ['nothing can be asked', [[0, ...ALL_UNKNOWN]], each(NEW, FAILED, HALF, WAITING, RIGHT, THROTTLED)],
    ['all is spreading', [[0, ...ALL_PENDING]], each(NEW, FAILED, HALF, WAITING, RIGHT, THROTTLED)],
    [
      'one of the domain cannot be asked',
      [[0, 'ok', 'unknown', 'ok']],
      [
        [NEW, RIGHT],
        [FAILED, RIGHT],
        [RIGHT, RIGHT],
      ],
    ],
    [
      'those of the domain cannot be asked',
      [[0, 'unknown', 'unknown', 'ok']],
      [
        [NEW, statesOf(false, true, 'pending')],
        [FAILED, statesOf(false, true, 'failed')],
        [HALF, RIGHT],
        [RIGHT, RIGHT],
      ],
    ],
    [
      'those of the domain are spreading, that of the MAIL FROM name fails',
      [[0, 'pending', 'pending', 'fail']],
      each(NEW, FAILED, HALF, RIGHT),
    ],
  ];

  test.each(rowsOf(CASES))('$found: $from becomes $to', async ({ checks, before, after }) => {
    expect(await walk(before, true, checks)).toMatchObject(after);
  });
});

describe('no record is stored as valid', () => {
  const CASES: readonly Case[] = [
    [
      'all is right',
      [[0, ...ALL_OK]],
      [
        [NEW, RIGHT],
        [FAILED, RIGHT],
        [THROTTLED, statesOf(true, true, 'throttled')],
      ],
    ],
    [
      'all fails',
      [[0, ...ALL_FAIL]],
      [
        [NEW, NEW],
        [FAILED, FAILED],
        [HALF, NEW],
        [RIGHT, FAILED],
      ],
    ],
    [
      'one is right',
      [[0, 'ok', 'fail', 'fail']],
      [
        [NEW, NEW],
        [FAILED, FAILED],
      ],
    ],
    ['that of the MAIL FROM name fails', [[0, 'ok', 'ok', 'fail']], [[NEW, HALF]]],
    ['nothing can be asked', [[0, ...ALL_UNKNOWN]], each(NEW, FAILED, HALF, RIGHT)],
    ['all is spreading', [[0, ...ALL_PENDING]], each(NEW, FAILED, HALF, RIGHT)],
  ];

  test.each(rowsOf(CASES))('$found: $from becomes $to', async ({ checks, before, after }) => {
    expect(await walk(before, false, checks)).toMatchObject(after);
  });
});

test('a domain that was never verified is not, and is not counted as healthy, when a check finds all of it missing', async () => {
  const before = await summarizeDomains(workspace, service.database);
  await walk(NEW, true, [[0, ...ALL_FAIL]]);
  const { total, pending, healthy } = await summarizeDomains(workspace, service.database);
  expect({ total, pending, healthy }).toEqual({
    total: before.total + 1,
    pending: before.pending + 1,
    healthy: before.healthy,
  });
});

test('a state that waits for one success is checked again soon', async () => {
  const at = service.clock.now;
  const { uuid } = await walk(NEW, true, [[0, ...ALL_UNKNOWN]]);
  const due = await service.database.read(workspace, (scope) =>
    scope.select('domains').select('next_check_at').where('uuid', '=', uuid).executeTakeFirstOrThrow(),
  );
  expect(due.next_check_at - at).toBe(5 * 60_000);
});
