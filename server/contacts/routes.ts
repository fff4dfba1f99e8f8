import type * as z from 'zod/mini';
import { filteredEvents, getContactActivity } from '#contract/activity.ts';
import { getOverview } from '#contract/overview.ts';
import { getContact, listContacts } from '#contract/additions.ts';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import {
  type ContactUpdate,
  subscribeOwnContact,
  unsubscribeOwnContact,
  updateSubscribedContact,
} from '#contract/openapi/otherClients.ts';
import { createContact, EVENTS_MAX, type EventOutcome, recordEvent, recordEvents } from '#contract/ingest.ts';
import { listContactEvents, unsubscribeContact, updateContact } from '#contract/interface.ts';
import type { Role } from '#contract/role.ts';
import { includesRole, requiredRole } from '#contract/roles.ts';
import { listSuppressions } from '#contract/suppressedContacts.ts';
import { explainedUnsubscribe, type Unsubscription } from '#contract/suppression.ts';
import { validationProblem, ProblemError } from '../http/problems.ts';
import type { Database } from '../database/database.ts';
import type { Caller, Workspace } from '../database/workspace.ts';
import { JsonText, type Route, route } from '../http/route.ts';
import * as activity from './events/activity.ts';
import * as changeLog from './changeLog.ts';
import * as events from './events/events.ts';
import * as ingest from './events/ingest.ts';
import {
  ComplaintError,
  EventTakenError,
  IdentityTakenError,
  InvalidAttributesError,
  InvalidEventError,
} from './contactErrors.ts';
import * as list from './listContacts.ts';
import * as suppressions from './listSuppressions.ts';
import * as overview from './overview.ts';
import * as store from './store.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  withAdditions: boolean;
};

export const contactRoutes = ({ database, now, withAdditions }: Dependencies): Route[] => [
  route(withAdditions ? updateSubscribedContact : updateContact, async ({ workspace, params, body, caller }) => {
    const { attributes = {}, subscribed } = body as z.infer<typeof ContactUpdate>;
    const work = store.updateContact(workspace, database, params.contact, attributes, caller, now(), subscribed);
    return (await work.catch(throwContactProblem)) ?? notFound();
  }),

  route(withAdditions ? filteredEvents : listContactEvents, async ({ workspace, params, query }) => {
    return new JsonText((await events.listContactEvents(workspace, database, params.contact, query)) ?? notFound());
  }),

  route(listContacts, ({ workspace, query }) => list.listContacts(workspace, database, query)),

  route(listSuppressions, ({ workspace, query }) => suppressions.listSuppressions(workspace, database, query)),

  route(getContact, async ({ workspace, params }) => {
    return { data: (await store.findContact(workspace, database, params.contact)) ?? notFound() };
  }),

  route(listContactChanges, async ({ workspace, params, query }) => {
    return (await changeLog.listContactChanges(workspace, database, params.contact, query)) ?? notFound();
  }),

  route(getContactActivity, async ({ workspace, params, query }) => {
    const parsed = activity.parseActivityQuery(query, now());
    return { data: (await activity.getContactActivity(workspace, database, params.contact, parsed)) ?? notFound() };
  }),

  route(getOverview, async ({ workspace, query }) => {
    const zone = overview.parseOverviewZone(query);
    return { data: await overview.getOverview(workspace, database, zone, now()) };
  }),

  ...subscriptionRoutes({ database, now, withAdditions }),
  ...ingestRoutes(database, now),
];

type SubscriptionCall = { workspace: Workspace; params: { contact: string }; caller: Caller; role: Role };

function subscriptionRoutes({ database, now, withAdditions }: Dependencies): Route[] {
  const unsubscribe = async ({ workspace, params, caller }: SubscriptionCall, said?: Unsubscription) => {
    const contact = await store.unsubscribeContact(workspace, database, params.contact, caller, now(), said);
    return { data: contact ?? notFound() };
  };
  const subscribe = async ({ workspace, params, caller, role }: SubscriptionCall, reason: string | null) => {
    const work = store.subscribeContact(workspace, database, params.contact, reason, caller, now(), role);
    return { data: (await work.catch(throwContactProblem)) ?? notFound() };
  };
  return [
    withAdditions
      ? route(explainedUnsubscribe, (call) => unsubscribe(call, call.body ?? undefined))
      : route(unsubscribeContact, (call) => unsubscribe(call)),
    route(unsubscribeOwnContact, (call) => unsubscribe(call, call.body ?? undefined)),
    route(subscribeContact, (call) => subscribe(call, call.body.reason)),
    route(subscribeOwnContact, (call) => subscribe(call, call.body?.reason ?? null)),
  ];
}

const ingestRoutes = (database: Database, now: () => number): Route[] => [
  route(createContact, async ({ workspace, body, query, caller, role }) => {
    const merges = query.upsert === '' || query.upsert === 'true';
    const work = store.createContact(workspace, database, body, merges, caller, now());
    const contact = await work.catch(throwContactProblem);
    const mayRead = includesRole(role, requiredRole(getContact.id));
    return { data: mayRead ? contact : { uuid: contact.uuid, created: contact.created } };
  }),

  route(recordEvent, async ({ workspace, params, body }) => {
    const work = ingest.recordEvent(workspace, database, params.contact, body, now());
    return { data: { recorded: (await work.catch(throwContactProblem)) ?? notFound() } };
  }),

  route(recordEvents, async ({ workspace, body }) => {
    if (body.length > EVENTS_MAX) {
      throw new ProblemError(422, `These are ${body.length} events. Send at most ${EVENTS_MAX} in one request.`);
    }
    const data = await ingest.recordEvents(workspace, database, body, now());
    const count = (wanted: EventOutcome['outcome']) => data.filter(({ outcome }) => outcome === wanted).length;
    return {
      data,
      meta: { recorded: count('recorded'), unchanged: count('unchanged'), refused: count('refused') },
    };
  }),
];

/** Maps validation and conflict errors to problem responses. */
function throwContactProblem(error: unknown): never {
  if (error instanceof InvalidAttributesError || error instanceof InvalidEventError) {
    throw validationProblem(error.errors);
  }
  if (error instanceof IdentityTakenError) {
    throw new ProblemError(409, error.message, { errors: [{ field: error.field, message: error.message }] });
  }
  if (error instanceof ComplaintError) throw new ProblemError(403, error.message);
  if (error instanceof EventTakenError) throw new ProblemError(409, error.message, { errors: [error.error] });
  throw error;
}

/** The message is the same for a contact of another workspace as for none. */
function notFound(): never {
  throw new ProblemError(404, 'There is no such contact in this workspace.');
}
