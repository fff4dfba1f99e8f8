import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import { putContacts } from '../../contacts/store.ts';
import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';
import { importDomain } from '../testDomains.ts';
import type { TestReceiver } from '../testReceiver.ts';
import { act, addDestination } from './actions.ts';
import { Checker } from './looks.ts';
import { startProcess } from './processes.ts';
import { minuteOf, type World } from './recording.ts';
import { DAY, MINUTE, type Script } from './script.ts';
import { listedRecords, mailFromOf } from './world.ts';

const PROCESSES = 3;
const GATHERED_FOR = MINUTE;

type Place = {
  /** Of each process; on SQLite all have the same. */
  databases: readonly Database[];
  workspace: Workspace;
  receiver: TestReceiver;
  start: number;
};

/**
 * Lets three processes watch the domains of a script, on a clock that goes from one thing to the next. `onDay` is called
 * at 12:00 of each day.
 */
export async function runScript(
  script: Script,
  { databases, workspace, receiver, start }: Place,
  onDay: (world: World) => Promise<void>,
): Promise<World & { states: number }> {
  const db = must(databases[0]);
  const world: World = {
    script,
    workspace,
    db,
    now: start,
    recording: {
      start,
      looks: new Map(),
      imports: [],
      acceptances: [],
      contactChanges: [],
      destinations: [],
      steps: [],
      received: [],
      kills: [],
      resolvers: [],
    },
    domains: [],
    contacts: [],
    receiverUrl: receiver.url,
  };
  receiver.respond = ({ path, id, body }) => {
    world.recording.received.push({ at: world.now, to: path.slice(1), id, body });
    receiver.received.length = 0;
    return 204;
  };
  await prepare(world);
  const checker = new Checker();
  const begin = (index: number) => startProcess(world, checker, databases[index % databases.length] ?? db, index);
  const processes = Array.from({ length: PROCESSES }, (_, index) => begin(index));
  const actions = [...script.actions];
  const end = start + script.length * DAY * MINUTE;
  let noon = start + DAY * MINUTE;
  for (;;) {
    const own = actions[0] === undefined ? Infinity : start + actions[0].at * MINUTE;
    const next = Math.min(own, noon, await nextDue(world));
    world.now = Math.max(world.now + MINUTE, start + Math.ceil((next - start) / MINUTE) * MINUTE);
    if (world.now > end) break;
    world.recording.steps.push(world.now);
    while (actions[0] !== undefined && actions[0].at <= minuteOf(world)) {
      const action = must(actions.shift());
      const { what, at } = action;
      if (what === 'kill') must(processes[action.instance]).kill(action);
      else if (what === 'look') await must(processes[at % PROCESSES]).look(must(world.domains[action.domain]).uuid);
      else await act(world, action);
    }
    await Promise.all(processes.map((one) => one.recheck()));
    await Promise.all(processes.map((one) => one.notify()));
    for (const [index, one] of processes.entries()) {
      if (!one.isKilled()) continue;
      world.recording.kills.push(world.now);
      processes[index] = begin(index);
    }
    if (world.now < noon) continue;
    await onDay(world);
    noon += DAY * MINUTE;
  }
  return { ...world, states: checker.states };
}

async function prepare(world: World): Promise<void> {
  const { script, workspace, db, now } = world;
  for (const domain of script.domains) {
    const { name } = domain;
    const dns = listedRecords(domain, 'k1');
    const uuid = await importDomain(workspace, db, { name, mail_from_domain: mailFromOf(name), dns }, now);
    world.domains.push({ uuid, name, selectors: ['k1'] });
  }
  world.contacts = Array.from({ length: script.contacts }, () => ({
    uuid: randomUUID(),
    isSubscribed: true,
    isErased: false,
  }));
  const people = world.contacts.map(({ uuid }, index) => ({ uuid, attributes: { email: `p${index}@example.com` } }));
  await db.write(workspace, (scope) => putContacts(scope, people, now));
  await addDestination(world, 'all', { incidents: [{}], digest: true, heartbeat: true });
  await addDestination(world, 'others', { incidents: [{ turns: ['dns_host', 'provider'] }], digest: true });
  const names = ['d1.dev', 'd2.dev', 'd3.dev', '*.d4.dev', 'd11.dev'];
  await addDestination(world, 'some', { incidents: [{ kinds: ['broken'], domains: names }] });
  await addDestination(world, 'adapter', { contact_changes: true });
}

type Due = { checks: number | null; messages: number | null; deliveries: number | null; summaries: number | null };

/** When a job has something to do next. */
async function nextDue({ workspace, db }: World): Promise<number> {
  const rows = await db.read(workspace, (scope) =>
    scope.run(sql<Due>`select
      (select min(next_check_at) from domains where workspace_id = ${scope.id}) as checks,
      (select min(created_at) from messages where workspace_id = ${scope.id} and planned_at is null) as messages,
      (select min(next_at) from deliveries where workspace_id = ${scope.id} and next_at is not null) as deliveries,
      (select min(summary_at) from destinations where workspace_id = ${scope.id}) as summaries`),
  );
  const { checks, messages, deliveries, summaries } = must(rows[0]);
  return Math.min(
    checks ?? Infinity,
    messages === null ? Infinity : messages + GATHERED_FOR,
    deliveries ?? Infinity,
    summaries ?? Infinity,
  );
}
