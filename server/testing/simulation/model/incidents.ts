import type { IncidentKind } from '#contract/domainHistory.ts';
import type { Observation } from '../../../domains/history/nextIncident.ts';
import { modelIncidents } from '../../modelIncidents.ts';
import type { Seen, StoredLook } from '../looks.ts';

export type ModelIncident = {
  domain: string;
  subject: string;
  kind: IncidentKind;
  failedAt: number;
  openedAt: number;
  closedAt: number | null;
  isUnstable: boolean;
};

/** What happens to a fault that is to be told. `fault`: as the look says that found it last. */
export type ModelEvent = {
  at: number;
  what: 'incident.opened' | 'incident.closed' | 'incident.unstable';
  incident: ModelIncident;
  fault: Seen;
};

type Subject = { domain: string; subject: string; kind: IncidentKind };

const FAILING = { broken: 'fail', weak: 'warn' } as const;

/**
 * The incidents of one fault, and what is to be told of them, from all looks at the domain. `isAccepted`: whether the fault
 * was accepted at the look of this index.
 */
export function modelFault(
  about: Subject,
  looks: readonly StoredLook[],
  isAccepted: (index: number) => boolean,
): { incidents: ModelIncident[]; events: ModelEvent[] } {
  const { subject, kind } = about;
  const incidents: ModelIncident[] = [];
  const events: ModelEvent[] = [];
  if (!looks.some(({ seen }) => seen.get(subject)?.result === FAILING[kind])) return { incidents, events };
  const checks = looks.map(({ at, seen, isBlind }, index): Observation => {
    const now = seen.get(subject);
    return { at, isGone: now?.isGone === true, verdict: verdictOf(kind, now, isBlind, isAccepted(index)) };
  });
  const places = new Map(checks.map(({ at }, index) => [at, index]));
  for (const [at, what] of modelIncidents(checks)) {
    const place = places.get(at) ?? 0;
    const open = incidents.findLast(({ closedAt }) => closedAt === null);
    if (open === undefined && what !== 'incident_closed') {
      const since = checks.slice(0, place).findLastIndex(({ verdict }) => verdict !== 'failing') + 1;
      for (const one of incidents) one.isUnstable = false;
      incidents.push({ ...about, failedAt: checks[since]?.at ?? at, openedAt: at, closedAt: null, isUnstable: false });
    } else if (open !== undefined && /closed|silent closing/.test(what)) open.closedAt = at;
    const incident = incidents.at(-1);
    if (incident === undefined) continue;
    incident.isUnstable = !/incident_opened|incident_closed/.test(what);
    if (what.startsWith('silent')) continue;
    const last = looks.slice(0, (incident.closedAt === null ? place : (places.get(incident.closedAt) ?? 0)) + 1);
    const fault = last.findLast(({ seen }) => seen.get(subject)?.result === FAILING[kind])?.seen.get(subject);
    if (fault === undefined) throw new Error(`Nothing was wrong with ${subject}.`);
    const said = `incident.${what.slice('incident_'.length)}` as ModelEvent['what'];
    // As it is now: it may be closed later.
    events.push({ at, what: said, incident, fault });
  }
  return { incidents, events };
}

/** While nobody can ask, nobody knows; advice that's no longer given is right. */
function verdictOf(
  kind: IncidentKind,
  seen: Seen | undefined,
  isBlind: boolean,
  isAccepted: boolean,
): Observation['verdict'] {
  if (seen === undefined) return isBlind ? 'unclear' : 'right';
  if (seen.result === FAILING[kind]) return isAccepted ? 'accepted' : 'failing';
  const isRight = seen.result === 'ok' || (kind === 'broken' && seen.result === 'warn');
  return isRight ? 'right' : 'unclear';
}
