import { randomUUID } from 'node:crypto';
import type { MessageKind } from '#contract/notifications.ts';
import type { Scope } from '../database/scope.ts';

export type NewMessage = {
  kind: MessageKind;
  /** What it's about: messages about the same keep their order. */
  about: string;
  incident_uuid: string;
  body: object;
};

/** Queues a message in the transaction of what it tells. A job decides who gets it. `now` is in milliseconds. */
export async function queueMessage(scope: Scope, message: NewMessage, now: number): Promise<void> {
  const { kind, about, incident_uuid, body } = message;
  await scope
    .insert('messages', {
      uuid: randomUUID(),
      created_at: now,
      kind,
      about,
      incident_uuid,
      contact_uuid: null,
      log_number: null,
      planned_at: null,
      body: JSON.stringify(body),
    })
    .execute();
}
