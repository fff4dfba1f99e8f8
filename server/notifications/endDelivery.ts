import { sql } from 'kysely';
import type { Scope } from '../database/scope.ts';
import type { DeliveryRow } from './storedMessages.ts';

/** False if another process has claimed it since, because this one took too long, or it's over. */
export async function setDelivery(
  scope: Scope,
  { message_uuid, destination_uuid, attempts }: DeliveryRow,
  values: Partial<DeliveryRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await scope
    .update('deliveries')
    .set(values)
    .where('message_uuid', '=', message_uuid)
    .where('destination_uuid', '=', destination_uuid)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export type Ended = { message_uuid: string; told_by: string | null };

/** Ends a delivery that hasn't arrived, with those that it would have told too. Gives all of them. */
export async function endDelivery(
  scope: Scope,
  delivery: DeliveryRow,
  state: 'failed' | 'dropped',
  reason: string | null,
  now: number,
): Promise<Ended[]> {
  const ended = { state, next_at: null, ended_at: now, last_error: reason };
  if (!(await setDelivery(scope, delivery, ended))) return [];
  const { message_uuid, destination_uuid } = delivery;
  const others = await scope
    .update('deliveries')
    .set(ended)
    .where('destination_uuid', '=', destination_uuid)
    .where('told_by', '=', message_uuid)
    .where('state', 'in', ['waiting', 'joined'])
    .returning(['message_uuid', 'told_by'])
    .execute();
  return [delivery, ...others];
}

/** Ends all deliveries that wait for a destination. Those that had arrived before a replay count as delivered. */
export async function endAllDeliveries(
  scope: Scope,
  destination: string,
  reason: string,
  now: number,
): Promise<Ended[]> {
  await scope
    .update('deliveries')
    .set({ state: 'delivered', next_at: null })
    .where('destination_uuid', '=', destination)
    .where('state', '=', 'waiting')
    .where('ended_at', 'is not', null)
    .execute();
  return scope.run(sql<Ended>`
    update deliveries set state = 'failed', next_at = null, ended_at = ${now}, last_error = ${reason}
    where workspace_id = ${scope.id} and destination_uuid = ${destination} and (
      state = 'waiting' or (state = 'joined' and told_by in (
        select message_uuid from deliveries
        where workspace_id = ${scope.id} and destination_uuid = ${destination} and state = 'waiting')))
    returning message_uuid, told_by`);
}
