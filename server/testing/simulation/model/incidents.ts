import type { IncidentKind } from '#contract/domains/domainHistory.ts';
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
const HOURS_72 = 72 * 60 * 60_000;

/** Of the fault: whether it was accepted at the look of this index, and whether an acceptance ended between two times. */
type Acceptances = { isAccepted: (index: number) => boolean; hasEnded: (after: number, until: number) => boolean };

/** The incidents of one fault, and what is to be told of them, from all looks at the domain. */
export function modelFault(
  about: Subject,
  looks: readonly StoredLook[],
  { isAccepted, hasEnded }: Acceptances,
): { incidents: ModelIncident[]; events: ModelEvent[] } {
  const { subject, kind } = about;
  const incidents: ModelIncident[] = [];
  const events: ModelEvent[] = [];
  if (!looks.some(({ seen }) => seen.get(subject)?.result === FAILING[kind])) return { incidents, events };
  // Nothing is broken that was never right: somebody is setting it up, for 72 hours.
  const first = looks.find(({ seen }) => seen.has(subject))?.at ?? 0;
  const right = looks.find(({ seen }) => isRight(kind, seen.get(subject)))?.at ?? Infinity;
  const checks = looks.map(({ at, seen }, index): Observation => {
    const now = seen.get(subject);
    const isNew = at < right && at - first < HOURS_72;
    const verdict = now === undefined ? absent(subject, seen) : verdictOf(kind, now, isAccepted(index));
    const isGone = now?.isGone === true;
    return { at, isGone, isAcceptanceOver: false, verdict: verdict === 'failing' && isNew ? 'unclear' : verdict };
  });
  const places = new Map(checks.map(({ at }, index) => [at, index]));
  const isAcceptanceOver = (check: number, toldAt: number) => hasEnded(toldAt, checks[check]?.at ?? 0);
  for (const [at, what] of modelIncidents(checks, isAcceptanceOver)) {
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

const isRight = (kind: IncidentKind, seen: Seen | undefined) =>
  seen?.result === 'ok' || (kind === 'broken' && seen?.result === 'warn');

/** Advice that's no longer given is right, except next to what fails or can't be asked; a record has left the list. */
function absent(subject: string, seen: StoredLook['seen']): Observation['verdict'] {
  const isUnclear = [...seen.values()].some(({ result }) => result === 'fail' || result === 'unknown');
  return isUnclear && !subject.includes(' ') ? 'unclear' : 'right';
}

function verdictOf(kind: IncidentKind, seen: Seen, isAccepted: boolean): Observation['verdict'] {
  if (seen.result === FAILING[kind]) return isAccepted ? 'accepted' : 'failing';
  return isRight(kind, seen) ? 'right' : 'unclear';
}
