import type { Filters } from '#contract/list.ts';
import { DOMAIN_STATES } from '#contract/domains/domainState.ts';
import { must } from '#contract/values/must.ts';
import { summarizeDomains } from '../../domains/countStates.ts';
import { listDomainReports } from '../../domains/history/listReports.ts';
import { listDomainChanges } from '../../domains/history/listSpans.ts';
import { ALL } from '../testList.ts';
import type { Compared } from './compare.ts';
import { isHolding, modelAcceptances } from './model/acceptances.ts';
import { modelSpans } from './model/spans.ts';
import { type Known, modelState, modelStored } from './model/states.ts';
import type { World } from './recording.ts';
import { DAY, MINUTE } from './script.ts';
import { listedRecords } from './world.ts';

const WEEK = 7 * DAY * MINUTE;
const CAUSE = 'include:spf.provider.dev';

/** Compares what the table of domains and the list of changes show now, with filters, with what the model says. */
export async function compareTable(world: World): Promise<Compared[]> {
  const { workspace, db, now, script, recording } = world;
  const domains = script.domains.map((scripted, index) => {
    const { uuid, name, selectors } = must(world.domains[index]);
    const looks = recording.looks.get(uuid) ?? [];
    const departures = recording.imports.filter(({ domain }) => domain === uuid);
    const all = recording.acceptances.filter(({ domain }) => domain === uuid);
    const holding = modelAcceptances(all, { looks, departures }).filter((one) => isHolding(one, now));
    const gone = new Set(departures.filter((one) => one.looks === looks.length).map(({ left }) => left));
    const listed = listedRecords(scripted, must(selectors.at(-1))).map((record) => `${record.type} ${record.name}`);
    const known: Known = {
      seen: new Map([...(looks.at(-1)?.seen ?? [])].filter(([subject]) => !gone.has(subject))),
      accepted: new Set(holding.map(({ subject }) => subject)),
      stored: modelStored(looks, departures, listed, recording.start),
    };
    const changes = modelSpans(looks, departures).filter(({ isChange }) => isChange);
    const open = [...known.seen].filter(([subject]) => !known.accepted.has(subject)).map(([, seen]) => seen);
    return { name, state: modelState(known), open, changes };
  });
  const compared: Compared[] = [];
  const add = (what: string, actual: string[], expected: string[]) =>
    compared.push({
      what: `${what} at ${(now - recording.start) / MINUTE}`,
      actual: actual.toSorted(),
      expected: expected.toSorted(),
    });
  const namesOf = (wanted: (domain: (typeof domains)[number]) => boolean) =>
    domains.filter(wanted).map(({ name }) => name);
  const rows = async (filters: Filters) => {
    const names: string[] = [];
    for (let page = 1; ; page++) {
      const { data, meta } = await listDomainReports(workspace, db, { ...ALL, page, filters });
      names.push(...data.map(({ domain }) => domain.name));
      if (!meta.has_next) return names;
    }
  };
  const counts = await summarizeDomains(workspace, db);
  for (const state of DOMAIN_STATES) {
    const expected = namesOf((domain) => domain.state === state);
    add(`domains that are ${state}`, await rows({ state }), expected);
    add(`how many are ${state}`, [String(counts[state])], [String(expected.length)]);
  }
  add(
    'domains with a cause',
    await rows({ cause: CAUSE }),
    namesOf(({ open }) => open.some(({ cause }) => cause === CAUSE)),
  );
  add(
    'domains for the DNS host',
    await rows({ turn: 'dns_host' }),
    namesOf(({ open }) => open.some(({ turn }) => turn === 'dns_host')),
  );
  const since = now - WEEK;
  add(
    'domains that changed in a week',
    await rows({ changed_since: new Date(since).toISOString() }),
    namesOf(({ changes }) => changes.some(({ from }) => from >= since)),
  );
  const listed: string[] = [];
  for (let page = 1; ; page++) {
    const filters = {
      from: new Date(since).toISOString(),
      to: new Date(now - WEEK / 2).toISOString(),
      direction: 'worse',
    };
    const { data, meta } = await listDomainChanges(workspace, db, { ...ALL, page, filters });
    listed.push(
      ...data.map(
        (one) =>
          `${one.between.to} ${one.domain.name} ${one.subject} ${one.before.result} ${one.after.result} ${one.after.code}`,
      ),
    );
    if (!meta.has_next) break;
  }
  const RANKS = ['fail', 'unknown', 'pending', 'warn', 'ok'];
  const rank = (result: string) => RANKS.indexOf(result);
  add(
    'changes for the worse',
    listed,
    domains.flatMap(({ name, changes }) =>
      changes
        .filter(
          ({ from, seen, before }) =>
            since <= from && from < now - WEEK / 2 && rank(seen.result) < rank(before?.seen.result ?? 'ok'),
        )
        .map(
          ({ from, subject, seen, before }) =>
            `${new Date(from).toISOString()} ${name} ${subject} ${before?.seen.result} ${seen.result} ${seen.code}`,
        ),
    ),
  );
  return compared;
}
