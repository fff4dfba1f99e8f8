import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { obtainProgram, type Program } from '../../testing/programs/debianPackages.ts';
import { killServices } from '../testing/processes/testMain.ts';
import { type MeasuredService, listMetricNames, startMeasuredService } from '../testing/testMetrics.ts';

// Tests the alert rules and the dashboard in docs/ with Prometheus' own programs, against metrics of real processes.

const DOCS = join(import.meta.dirname, '../../docs');
const RULES = join(DOCS, 'alerts/sendroom.rules.yml');
const OPERATIONS = readFileSync(join(DOCS, 'operations.md'), 'utf8');

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Dashboard = {
  schemaVersion: number;
  panels: { id: number; title: string; targets?: { expr: string; datasource: { uid: string } }[] }[];
  templating: { list: { name: string; type: string; query: unknown }[] };
};

const rules = (parse(readFileSync(RULES, 'utf8')) as Rules).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(join(DOCS, 'grafana/sendroom.json'), 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

let folder: string;
let promtool: Program;
/** A service on a file, a gateway to it, and a service that is gone. */
let service: MeasuredService;
let gateway: MeasuredService;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendroom-alerts-'));
  promtool = obtainProgram(folder, 'promtool', ['prometheus']);
  service = await startMeasuredService({ DATABASE_URL: `file:${join(folder, 'sendroom.db')}` });
  gateway = await startMeasuredService({ UPSTREAM_URL: service.url });
});
afterAll(() => {
  killServices();
  rmSync(folder, { recursive: true, force: true });
});

function runPromtool(input: string, ...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(promtool.path, args, { env: promtool.env, input, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

/** Names of metrics in an expression, without the suffixes of histograms. */
function namesOf(expr: string): string[] {
  const names = expr.match(/\b(?:sendroom|nodejs|process)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
}

test('each alert comes when it should, and not before', () => {
  expect(runPromtool('', 'check', 'rules', RULES)).toMatchObject({ status: 0 });
  expect(runPromtool('', 'test', 'rules', join(DOCS, 'alerts/sendroom.test.yml'))).toMatchObject({ status: 0 });
  const tests = readFileSync(join(DOCS, 'alerts/sendroom.test.yml'), 'utf8');
  for (const { alert } of rules) {
    expect(tests).toMatch(new RegExp(`alertname: ${alert}, exp_alerts: \\[\\]`));
    expect(tests).toMatch(new RegExp(`alertname: ${alert}\n +exp_alerts:\n +- exp_labels`));
  }
});

test('what processes say of themselves is as Prometheus would have it', async () => {
  for (const one of [service, gateway]) {
    expect(runPromtool(await one.text(), 'check', 'metrics')).toEqual({ status: 0, said: '' });
  }
});

test('each metric that alerts and dashboard ask for is there, and each of ours is in docs/operations.md and on the dashboard', async () => {
  const names = new Set([...listMetricNames(await service.text()), ...listMetricNames(await gateway.text())]);
  const asked = [...rules, ...queries].flatMap(({ expr }) => namesOf(expr));
  expect(asked.length).toBeGreaterThan(rules.length + queries.length);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
  const own = [...names].filter((name) => name.startsWith('sendroom_'));
  expect(own.filter((name) => !OPERATIONS.includes(`\`${name}`))).toEqual([]);
  const shown = new Set(queries.flatMap(({ expr }) => namesOf(expr)));
  expect(own.filter((name) => !shown.has(name))).toEqual([]);
});

test('docs/operations.md says of each alarm what to do', () => {
  const rows = [...OPERATIONS.matchAll(/^\| `(Sendroom\w+)` \|/gm)].map(([, alert]) => alert);
  expect(rows).toHaveLength(rules.length);
  expect(new Set(rows)).toEqual(new Set(rules.map(({ alert }) => alert)));
});

test('the dashboard can be imported anywhere', () => {
  // The last one of this format: https://github.com/grafana/grafana/blob/main/public/app/features/dashboard/state/DashboardMigrator.ts
  expect(dashboard.schemaVersion).toBe(42);
  expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const sources = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ datasource }) => datasource.uid));
  expect(new Set(sources)).toEqual(new Set(['${datasource}']));
});
