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
import {
  createEventRule,
  listEventRules,
  previewEventRule,
  removeEventRule,
} from '#contract/suppressions/eventRules.ts';
import { createContact, EVENTS_MAX, type EventOutcome, recordEvent, recordEvents } from '#contract/ingest.ts';
import { listEventNames } from '#contract/eventNames.ts';
import { listContactEvents, unsubscribeContact, updateContact } from '#contract/interface.ts';
import type { Role } from '#contract/role.ts';
import { includesRole, requiredRole } from '#contract/roles.ts';
import { listSuppressions } from '#contract/suppressions/suppressedContacts.ts';
import { explainedUnsubscribe, type Unsubscription } from '#contract/suppressions/suppression.ts';
import { listUnsubscribeBursts } from '#contract/suppressions/unsubscribeBursts.ts';
import { validationProblem, ProblemError } from '../http/problems.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { Caller, Workspace } from '../database/workspace.ts';
import { JsonText, type Route, route } from '../http/route.ts';
import * as activity from './events/activity.ts';
import * as changeLog from './changeLog.ts';
import * as rules from './events/eventRules.ts';
import * as names from './events/eventNames.ts';
import { previewRule } from './events/previewRule.ts';
import * as events from './events/events.ts';
import * as ingest from './events/ingest.ts';
import {
  EventTakenError,
  IdentityTakenError,
  InvalidAttributesError,
  InvalidEventError,
  StrongReasonError,
  UnseenUnsubscribeError,
} from './contactErrors.ts';
import { InvalidFilterError } from './filter/contactFilter.ts';
import * as list from './listContacts.ts';
import * as suppressions from './listSuppressions.ts';
import * as bursts from './unsubscribeBursts.ts';
import * as overview from './overview.ts';
import { runRoutes, throwRunProblem } from './runs/routes.ts';
import * as store from './store.ts';
import { viewRoutes } from './views/routes.ts';

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

  route(listContacts, ({ workspace, query }) =>
    list.listContacts(workspace, database, query, now()).catch(throwContactProblem),
  ),

  route(listSuppressions, ({ workspace, query }) => suppressions.listSuppressions(workspace, database, query)),

  route(listUnsubscribeBursts, async ({ workspace }) => {
    return { data: await bursts.listUnsubscribeBursts(workspace, database, now()) };
  }),

  route(listEventNames, async ({ workspace }) => ({ data: await names.listEventNames(workspace, database) })),

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
    const asked = overview.parseOverviewParameters(query);
    return { data: await overview.getOverview(workspace, database, { ...asked, now: now() }) };
  }),

  ...subscriptionRoutes({ database, now, withAdditions }),
  ...ingestRoutes(database, now),
  ...runRoutes({ database, now }),
  ...ruleRoutes(database, now),
  ...viewRoutes({ database, now }),
];

type SubscriptionCall = { workspace: Workspace; params: { contact: string }; caller: Caller; role: Role };

function subscriptionRoutes({ database, now, withAdditions }: Dependencies): Route[] {
  const unsubscribe = async ({ workspace, params, caller }: SubscriptionCall, said?: Unsubscription) => {
    const work = store.unsubscribeContact(workspace, database, params.contact, caller, now(), said);
    return { data: (await work.catch(throwContactProblem)) ?? notFound() };
  };
  const subscribe = async (
    { workspace, params, caller, role }: SubscriptionCall,
    reason: string | null,
    seen?: string,
  ) => {
    const work = store.subscribeContact(workspace, database, params.contact, reason, caller, now(), { role, seen });
    return { data: (await work.catch(throwContactProblem)) ?? notFound() };
  };
  return [
    withAdditions
      ? route(explainedUnsubscribe, (call) => unsubscribe(call, call.body ?? undefined))
      : route(unsubscribeContact, (call) => unsubscribe(call)),
    route(unsubscribeOwnContact, (call) => unsubscribe(call, call.body ?? undefined)),
    route(subscribeContact, (call) => subscribe(call, call.body.reason, call.body.seen)),
    route(subscribeOwnContact, (call) => subscribe(call, call.body?.reason ?? null, call.body?.seen)),
  ];
}

function ruleRoutes(database: Database, now: () => number): Route[] {
  const by = (caller: Caller) => ({ now: now(), author: authorOf(caller) });
  return [
    route(listEventRules, async ({ workspace }) => ({ data: rules.rulesIn(workspace.event_rules) })),

    route(previewEventRule, async ({ workspace, body }) => ({ data: await previewRule(workspace, database, body) })),

    route(createEventRule, async ({ workspace, body, caller }) => {
      const adding = rules.addEventRule(workspace, database, body, by(caller));
      return { data: await adding.catch(throwContactProblem) };
    }),

    route(removeEventRule, async ({ workspace, params, caller }) => {
      const left = await rules.removeEventRule(workspace, database, params.rule, by(caller));
      if (left === null) throw new ProblemError(404, 'There is no such rule in this workspace.');
      return { data: left };
    }),
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

  route(recordEvent, async ({ workspace, params, body, caller }) => {
    const work = ingest.recordEvent(workspace, database, params.contact, body, caller, now());
    return { data: { recorded: (await work.catch(throwContactProblem)) ?? notFound() } };
  }),

  route(recordEvents, async ({ workspace, body, caller }) => {
    if (body.length > EVENTS_MAX) {
      throw new ProblemError(422, `These are ${body.length} events. Send at most ${EVENTS_MAX} in one request.`);
    }
    const data = await ingest.recordEvents(workspace, database, body, caller, now());
    const count = (wanted: EventOutcome['outcome']) => data.filter(({ outcome }) => outcome === wanted).length;
    return {
      data,
      meta: { recorded: count('recorded'), unchanged: count('unchanged'), refused: count('refused') },
    };
  }),
];

/** Maps validation and conflict errors to problem responses. */
function throwContactProblem(error: unknown): never {
  if (
    error instanceof InvalidAttributesError ||
    error instanceof InvalidEventError ||
    error instanceof InvalidFilterError
  ) {
    throw validationProblem(error.errors);
  }
  if (error instanceof IdentityTakenError) {
    throw new ProblemError(409, error.message, { errors: [{ field: error.field, message: error.message }] });
  }
  if (error instanceof rules.EventRuleError) throw new ProblemError(409, error.message);
  if (error instanceof UnseenUnsubscribeError) throw new ProblemError(409, error.message);
  if (error instanceof StrongReasonError) throw new ProblemError(403, error.message);
  if (error instanceof EventTakenError) throw new ProblemError(409, error.message, { errors: [error.error] });
  return throwRunProblem(error);
}

/** The message is the same for a contact of another workspace as for none. */
function notFound(): never {
  throw new ProblemError(404, 'There is no such contact in this workspace.');
}
