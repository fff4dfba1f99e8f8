import { getContact, listContactChanges, listContacts, subscribeContact } from '#contract/additions.ts';
import { listContactEvents, unsubscribeContact, updateContact } from '#contract/interface.ts';
import { validationProblem, ProblemError } from '../http/problems.ts';
import { JsonText, route } from '../http/route.ts';
import * as changeLog from './changeLog.ts';
import * as events from './events.ts';
import { IdentityTakenError, InvalidAttributesError } from './contactErrors.ts';
import * as list from './listContacts.ts';
import * as store from './store.ts';

export const contactRoutes = [
  route(updateContact, async ({ workspace, params, body, caller }, { database, now }) => {
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

  route(unsubscribeContact, async ({ workspace, params, caller }, { database, now }) => {
    return { data: (await store.unsubscribeContact(workspace, database, params.contact, caller, now())) ?? notFound() };
  }),

  route(listContactEvents, async ({ workspace, params, query }, { database }) => {
    return new JsonText((await events.listContactEvents(workspace, database, params.contact, query)) ?? notFound());
  }),

  route(listContacts, ({ workspace, query }, { database }) => list.listContacts(workspace, database, query)),

  route(getContact, async ({ workspace, params }, { database }) => {
    return { data: (await store.findContact(workspace, database, params.contact)) ?? notFound() };
  }),

  route(listContactChanges, async ({ workspace, params, query }, { database }) => {
    return (await changeLog.listContactChanges(workspace, database, params.contact, query)) ?? notFound();
  }),

  route(subscribeContact, async ({ workspace, params, body, caller }, { database, now }) => {
    const contact = await store.subscribeContact(workspace, database, params.contact, body.reason, caller, now());
    return { data: contact ?? notFound() };
  }),
];

/** The same words for a contact of another workspace as for none. */
function notFound(): never {
  throw new ProblemError(404, 'There is no such contact in this workspace.');
}
