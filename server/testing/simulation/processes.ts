import { must } from '#contract/values/must.ts';
import type { Database } from '../../database/database.ts';
import { followStored, type StoredChecks } from '../../domains/checks/liveChecks.ts';
import { recheckDue } from '../../domains/checks/recheck.ts';
import { ResolverWatch } from '../../domains/checks/resolverWatch.ts';
import { getDomainToCheck } from '../../domains/store.ts';
import { notifyOnce } from '../../notifications/notify.ts';
import { KilledError, startInstance } from './instances.ts';
import { type Checker, seenIn } from './looks.ts';
import { DAY, MINUTE } from './script.ts';
import { minuteOf, type ResolverEvent, type World } from './recording.ts';

type Process = {
  kill: (when: { writes: number; isCommitted: boolean }) => void;
  isKilled: () => boolean;
  /** Checks a domain because somebody wants to know. */
  look: (uuid: string) => Promise<void>;
  /** Checks what is due. */
  recheck: () => Promise<void>;
  /** Plans and delivers what is due. */
  notify: () => Promise<void>;
};

/** The parts of the service that work by themselves, as one process has them. */
export function startProcess(world: World, checker: Checker, shared: Database, index: number): Process {
  const { workspace, recording } = world;
  const { database, kill, isKilled } = startInstance(shared);
  const errors: unknown[] = [];
  const note = (event: ResolverEvent, domain: string) =>
    void recording.resolvers.push({ at: world.now, process: index, event, domain });
  note('started', '');
  const watch = new ResolverWatch((isDown) => note(isDown ? 'told down' : 'told up', ''));
  const checks: StoredChecks['checks'] = {
    // oxlint-disable-next-line require-yield -- nobody reads the lines
    async *follow({ domain, sendsBulk, conclude }) {
      const at = world.now;
      const state = stateOf(world, domain.uuid);
      const isBlind = state.faults.includes('resolvers are down');
      const lines = await checker.check(state, { domain, sendsBulk });
      const record = () => {
        const looks = recording.looks.get(domain.uuid) ?? [];
        // Two at the same time are one.
        if (looks.at(-1)?.at !== at) looks.push({ at, seen: seenIn(lines) });
        recording.looks.set(domain.uuid, looks);
      };
      await conclude(lines, at).catch((error: unknown) => {
        if (error instanceof KilledError && error.isCommitted) record();
        throw error;
      });
      record();
      note(isBlind ? 'unreachable' : 'reachable', domain.name);
      watch.see(domain.name, isBlind);
    },
  };
  const stored = { database, checks, longestPause: DAY * MINUTE };
  const log = {
    info: () => {},
    warn: () => {},
    error: (fields: { err?: unknown }) => void (fields.err instanceof KilledError || errors.push(fields.err)),
  };
  const senders = { mailer: null, isAllowed: () => true, consoleUrl: null };
  const now = () => world.now;
  const { signal } = new AbortController();
  const untilKilled = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof KilledError)) throw error;
    });
    if (errors.length > 0) throw must(errors[0]);
  };
  return {
    kill,
    isKilled,
    look: (uuid) =>
      untilKilled(async () => {
        const domain = must(await getDomainToCheck(workspace, database, uuid));
        for await (const _ of followStored(stored, workspace, domain, signal) ?? []);
      }),
    recheck: () => untilKilled(() => recheckDue({ stored, now, log }, signal)),
    notify: () =>
      untilKilled(async () => {
        const running: Parameters<typeof notifyOnce>[1] = new Map();
        await notifyOnce({ database, senders, now, log }, running, signal);
        await Promise.all(Array.from(running.values(), ({ done }) => done));
      }),
  };
}

function stateOf(world: World, uuid: string) {
  const index = world.domains.findIndex((one) => one.uuid === uuid);
  const { selectors } = must(world.domains[index]);
  const scripted = must(world.script.domains[index]);
  const faults = world.script.faultsAt(scripted, minuteOf(world));
  return { domain: scripted.name, host: scripted.host, selectors, faults };
}
