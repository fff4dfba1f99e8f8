import { must } from '#contract/values/must.ts';
import type { World } from './recording.ts';
import { isHolding, type ModelAcceptance, modelAcceptances } from './model/acceptances.ts';
import { type ModelEvent, modelFault, type ModelIncident } from './model/incidents.ts';
import { type ModelMessage, modelMessages } from './model/messages.ts';
import { type ModelSpan, modelSpans } from './model/spans.ts';

/** All that must be stored and told after a run. Of domains by their UUID. */
export type Expected = {
  spans: Map<string, ModelSpan[]>;
  acceptances: Map<string, ModelAcceptance[]>;
  incidents: ModelIncident[];
  events: ModelEvent[];
  messages: ModelMessage[];
};

export function expectedOf({ recording, domains }: Pick<World, 'recording' | 'domains'>): Expected {
  const expected: Expected = { spans: new Map(), acceptances: new Map(), incidents: [], events: [], messages: [] };
  for (const { uuid } of domains) {
    const looks = recording.looks.get(uuid) ?? [];
    const departures = recording.imports.filter(({ domain }) => domain === uuid);
    const accepted = modelAcceptances(
      recording.acceptances.filter(({ domain }) => domain === uuid),
      { looks, departures },
    );
    expected.spans.set(uuid, modelSpans(looks, departures));
    expected.acceptances.set(uuid, accepted);
    for (const subject of new Set(looks.flatMap(({ seen }) => [...seen.keys()]))) {
      const own = accepted.filter((one) => one.subject === subject);
      const isAccepted = (index: number) => {
        const { at } = must(looks[index]);
        return own.some((one) => one.looks <= index && isHolding(one, at));
      };
      for (const kind of ['broken', 'weak'] as const) {
        const hasEnded = (after: number, until: number) =>
          own.some(({ endedAt }) => endedAt !== null && endedAt > after && endedAt <= until);
        const { incidents, events } = modelFault({ domain: uuid, subject, kind }, looks, { isAccepted, hasEnded });
        expected.incidents.push(...incidents);
        expected.events.push(...events);
      }
    }
  }
  expected.events.sort((one, other) => one.at - other.at);
  const names = new Map(domains.map(({ uuid, name }) => [uuid, name]));
  const bySubject = Map.groupBy(
    [...expected.acceptances.values()].flat(),
    ({ domain, subject }) => `${domain} ${subject}`,
  );
  const isAccepted = (fault: string, now: number) =>
    (bySubject.get(fault.replace(/ (broken|weak)/, '')) ?? []).some((one) => isHolding(one, now));
  for (const destination of recording.destinations) {
    expected.messages.push(...modelMessages(expected.events, recording.steps, destination, { names, isAccepted }));
  }
  return expected;
}
