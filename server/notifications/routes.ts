import {
  createDestination,
  listDeliveries,
  listDestinations,
  removeDestination,
  replayDelivery,
  rotateSecret,
  testDestination,
  updateDestination,
} from '#contract/notifications.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Caller } from '../database/workspace.ts';
import { ProblemError, validationProblem } from '../http/problems.ts';
import { type Route, route } from '../http/route.ts';
import type { DeliveryContext } from './deliver.ts';
import * as deliveries from './deliveries.ts';
import * as destinations from './destinations.ts';

export function notificationRoutes(context: DeliveryContext, stop: AbortSignal): Route[] {
  const { database, senders, now } = context;
  const by = (caller: Caller) => ({ now: now(), author: authorOf(caller) });
  return [
    route(listDestinations, ({ workspace, query }) => destinations.listDestinations(workspace, database, query)),

    route(createDestination, async ({ workspace, body, caller }) => {
      return { data: await accepted(destinations.createDestination(workspace, database, body, senders, by(caller))) };
    }),

    route(updateDestination, async ({ workspace, params, body, caller }) => {
      const updated = destinations.updateDestination(workspace, database, params.destination, body, by(caller));
      return { data: (await accepted(updated)) ?? throwNoSuchDestination() };
    }),

    route(removeDestination, async ({ workspace, params, caller }) => {
      const removed = await destinations.removeDestination(workspace, database, params.destination, by(caller));
      return { data: removed ?? throwNoSuchDestination() };
    }),

    route(rotateSecret, async ({ workspace, params, caller }) => {
      const rotating = destinations.rotateSecret(workspace, database, params.destination, by(caller));
      const rotated = await rotating.catch((error: unknown) => {
        if (!(error instanceof destinations.TooManySecretsError)) throw error;
        throw tooMany(error.message, Math.ceil(error.wait / 1000));
      });
      if (rotated === 'mail') throw new ProblemError(409, 'Only webhooks have a secret.');
      return { data: rotated ?? throwNoSuchDestination() };
    }),

    route(testDestination, async ({ workspace, params, caller }) => {
      const tested = await deliveries.testDestination(context, workspace, params.destination, by(caller), stop);
      if (tested === 'tooMany') throw tooMany('A workspace may send ten test messages a minute.');
      return { data: tested ?? throwNoSuchDestination() };
    }),

    route(listDeliveries, async ({ workspace, params, query }) => {
      const page = await deliveries.listDeliveries(workspace, database, params.destination, query);
      return page ?? throwNoSuchDestination();
    }),

    route(replayDelivery, async ({ workspace, params, caller }) => {
      const { destination, message } = params;
      const replayed = await deliveries.replayDelivery(workspace, database, destination, message, by(caller));
      if (replayed === 'tooMany') throw tooMany('A workspace may send ten messages again in a minute.');
      if (replayed === null) throw new ProblemError(404, 'There is no such delivery in this workspace.');
      return { data: replayed };
    }),
  ];
}

const tooMany = (sentence: string, seconds = 60) =>
  new ProblemError(429, sentence, { headers: { 'retry-after': String(seconds) } });

async function accepted<Done>(outcome: Promise<Done>): Promise<Done> {
  try {
    return await outcome;
  } catch (error) {
    if (!(error instanceof destinations.DestinationError)) throw error;
    throw validationProblem([{ field: error.field, message: error.message }]);
  }
}

function throwNoSuchDestination(): never {
  throw new ProblemError(404, 'There is no such destination in this workspace.');
}
