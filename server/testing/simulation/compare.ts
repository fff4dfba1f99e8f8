import { must } from '#contract/values/must.ts';
import { expectedOf } from './judge.ts';
import { modelSummaries } from './model/summaries.ts';
import { isExcused, modelOperator } from './model/told.ts';
import type { World } from './recording.ts';
import { MINUTE } from './script.ts';

/** What was stored or told, and what a model says, as lines in the same order. */
export type Compared = { what: string; actual: string[]; expected: string[] };

type Incident = {
  data: {
    domain: { name: string };
    subject: string;
    others?: { domain: { name: string }; subject: string }[];
    other_count?: number;
  };
};

/** Compares all that a run has stored and told with what the model says. Lines begin with minutes from the start. */
export async function compareAll(world: World): Promise<Compared[]> {
  const { workspace, db, recording, domains } = world;
  const expected = expectedOf(world);
  const names = new Map(domains.map(({ uuid, name }) => [uuid, name]));
  const nameOf = (uuid: string) => must(names.get(uuid));
  const minute = (at: number | null) => (at === null ? '-' : String((at - recording.start) / MINUTE));
  const compared: Compared[] = [];
  const add = (what: string, actual: string[], model: string[]) =>
    compared.push({ what, actual: actual.toSorted(), expected: model.toSorted() });

  for (const { uuid, name } of domains) {
    const rows = await db.read(workspace, (scope) =>
      scope.select('domain_spans').selectAll().where('domain_uuid', '=', uuid).execute(),
    );
    add(
      `spans of ${name}`,
      rows.map((row) => {
        const { found } = JSON.parse(row.finding) as { found: string[] };
        const before =
          row.is_change === 1
            ? [
                row.previous_result,
                row.previous_code,
                JSON.parse(row.previous_found ?? ''),
                minute(row.previous_ended_at),
              ]
            : [];
        return JSON.stringify([
          minute(row.started_at),
          minute(row.ended_at),
          row.subject,
          row.kind,
          row.result,
          row.code,
          row.turn,
          row.cause,
          found.toSorted(),
          before,
        ]);
      }),
      must(expected.spans.get(uuid)).map(({ subject, from, to, seen, before, isChange }) => {
        const known =
          isChange && before ? [before.seen.result, before.seen.code, before.seen.found, minute(before.at)] : [];
        return JSON.stringify([
          minute(from),
          minute(to),
          subject,
          seen.kind,
          seen.result,
          seen.code,
          seen.turn,
          seen.cause,
          seen.found,
          known,
        ]);
      }),
    );
  }
  const acceptances = await db.read(workspace, (scope) => scope.select('acceptances').selectAll().execute());
  add(
    'acceptances',
    acceptances.map(
      (row) =>
        `${minute(row.accepted_at)} ${nameOf(row.domain_uuid)} ${row.subject} ${row.code} ${minute(row.ended_at)}`,
    ),
    [...expected.acceptances.values()]
      .flat()
      .map((one) => `${minute(one.at)} ${nameOf(one.domain)} ${one.subject} ${one.code} ${minute(one.endedAt)}`),
  );
  const incidents = await db.read(workspace, (scope) =>
    scope.select('incidents').selectAll().where('opened_at', 'is not', null).execute(),
  );
  add(
    'incidents',
    incidents.map(
      (row) =>
        `${minute(row.failed_at)} ${minute(row.opened_at)} ${minute(row.closed_at)} ${nameOf(row.domain_uuid)} ${row.kind} ${row.subject} ${row.is_unstable === 1}`,
    ),
    expected.incidents.map(
      (one) =>
        `${minute(one.failedAt)} ${minute(one.openedAt)} ${minute(one.closedAt)} ${nameOf(one.domain)} ${one.kind} ${one.subject} ${one.isUnstable}`,
    ),
  );
  const queued = await db.read(workspace, (scope) =>
    scope.select('messages').selectAll().where('incident_uuid', 'is not', null).execute(),
  );
  add(
    'events',
    queued.map((row) => {
      const { domain, kind, subject, code, cause } = JSON.parse(row.body) as {
        domain: { name: string };
        kind: string;
        subject: string;
        code: string;
        cause: string | null;
      };
      return `${minute(row.created_at)} ${row.kind.replace('_', '.')} ${domain.name} ${kind} ${subject} ${code} ${cause}`;
    }),
    expected.events.map(
      ({ at, what, incident: { domain, kind, subject }, fault: { code, cause } }) =>
        `${minute(at)} ${what} ${nameOf(domain)} ${kind} ${subject} ${code} ${cause}`,
    ),
  );
  const deliveries = await db.read(workspace, (scope) =>
    scope.select('deliveries').selectAll().where('state', '=', 'delivered').execute(),
  );
  const destinationNames = new Map(recording.destinations.map(({ uuid, name }) => [uuid, name]));
  const plannedAt = new Map(
    deliveries.map((row) => [`${destinationNames.get(row.destination_uuid)} ${row.message_uuid}`, row.created_at]),
  );
  const first = new Map<string, (typeof recording.received)[number]>();
  for (const one of recording.received) {
    const key = `${one.to} ${one.id}`;
    if (!first.has(key)) first.set(key, one);
  }
  const ofIncidents = [...first].filter(([, { body }]) => body.type.startsWith('incident.'));
  add(
    'messages',
    ofIncidents.map(([key, { to, body }]) => {
      const { data } = body as unknown as Incident;
      const members = [data, ...(data.others ?? [])].map(({ domain, subject }) => `${domain.name} ${subject}`);
      return `${minute(plannedAt.get(key) ?? null)} ${to} ${body.type} ${members.toSorted().join(', ')}`;
    }),
    expected.messages.map(({ at, to, type, members }) => {
      const named = members.map((member) => {
        const [uuid = '', , ...subject] = member.split(' ');
        return `${nameOf(uuid)} ${subject.join(' ')}`;
      });
      return `${minute(at)} ${to} ${type} ${named.toSorted().join(', ')}`;
    }),
  );
  const others = [...first.values()].filter(({ body }) => !body.type.startsWith('incident.'));
  const ofContacts = others.filter(({ body }) => body.type.startsWith('contact.'));
  add(
    'changes of contacts',
    ofContacts.map(
      ({ to, body: { type, data } }) =>
        `${minute(Date.parse(String(data['at'])))} ${to} ${type} ${String(data['contact'])}`,
    ),
    recording.contactChanges.map(({ at, contact, type }) => `${minute(at)} adapter ${type} ${contact}`),
  );
  add(
    'summaries',
    others.flatMap(({ to, body: { type, data } }) => {
      const { to: end, domains: all, checked, open, opened, closed, changes } = data;
      return type === 'digest' || type === 'heartbeat'
        ? [Date.parse(String(end)), to, type, all, checked, open, opened, closed, changes].join(' ')
        : [];
    }),
    modelSummaries(world, expected),
  );
  add(
    'messages that came late or again without a reason',
    recording.received.flatMap(({ to, id, at, body: { type } }) => {
      const planned = plannedAt.get(`${to} ${id}`);
      const isFirst = first.get(`${to} ${id}`)?.at === at;
      if (planned !== undefined && isExcused(recording.kills, planned, at) && (isFirst || at > planned)) return [];
      return `${minute(planned ?? null)} ${minute(at)} ${to} ${type}`;
    }),
    [],
  );
  const toOperator = (events: World['recording']['resolvers']) =>
    events
      .filter(({ event }) => event.startsWith('told'))
      .map(({ at, process, event }) => `${minute(at)} ${process} ${event}`);
  add('what the operator is told', toOperator(recording.resolvers), toOperator(modelOperator(recording)));
  return compared;
}
