import { getContactActivity } from '#contract/activity.ts';
import { getOverview } from '#contract/overview.ts';
import { getContact, listContacts } from '#contract/additions.ts';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import { listContactEvents, unsubscribeContact, updateContact } from '#contract/interface.ts';
import { validationProblem, ProblemError } from '../http/problems.ts';
import type { Database } from '../database/database.ts';
import { JsonText, type Route, route } from '../http/route.ts';
import * as activity from './activity.ts';
import * as changeLog from './changeLog.ts';
import * as events from './events.ts';
import { IdentityTakenError, InvalidAttributesError } from './contactErrors.ts';
import * as list from './listContacts.ts';
import * as overview from './overview.ts';
import * as store from './store.ts';

type Dependencies = {
  database: Database;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

export const contactRoutes = ({ database, now }: Dependencies): Route[] => [
  route(updateContact, async ({ workspace, params, body, caller }) => {
    try {
      const contact = await store.updateContact(workspace, database, params.contact, body.attributes, caller, now());
      return contact ?? notFound();
    } catch (error) {
      if (error instanceof InvalidAttributesError) throw validationProblem(error.errors);
      if (error instanceof IdentityTakenError) {
        throw new ProblemError(409, error.message, { errors: [{ field: error.field, message: error.message }] });
      }
      throw error;
    }
  }),

  route(unsubscribeContact, async ({ workspace, params, caller }) => {
    return { data: (await store.unsubscribeContact(workspace, database, params.contact, caller, now())) ?? notFound() };
  }),

  route(listContactEvents, async ({ workspace, params, query }) => {
    return new JsonText((await events.listContactEvents(workspace, database, params.contact, query)) ?? notFound());
  }),

  route(listContacts, ({ workspace, query }) => list.listContacts(workspace, database, query)),

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

  route(subscribeContact, async ({ workspace, params, body, caller }) => {
    const contact = await store.subscribeContact(workspace, database, params.contact, body.reason, caller, now());
    return { data: contact ?? notFound() };
  }),
];

/** The message is the same for a contact of another workspace as for none. */
function notFound(): never {
  throw new ProblemError(404, 'There is no such contact in this workspace.');
}
