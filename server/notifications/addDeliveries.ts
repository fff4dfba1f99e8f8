import type { DeliveryState } from '#contract/notifications.ts';
import type { Scope } from '../database/scope.ts';

export type NewDelivery = {
  message: string;
  destination: string;
  state: Extract<DeliveryState, 'waiting' | 'joined' | 'dropped'>;
  toldBy?: string | null;
  /** Of a fallback: what it stands in for, and why. */
  insteadOf?: string | null;
};

/** Rows of one statement: PostgreSQL takes 65,535 values. */
const ROWS = 500;

/** A message goes to a destination once, also if that is the fallback of another. */
export async function addDeliveries(scope: Scope, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  const rows = deliveries.map(({ message, destination, state, toldBy = null, insteadOf = null }) => ({
    message_uuid: message,
    destination_uuid: destination,
    state,
    created_at: now,
    next_at: state === 'waiting' ? now : null,
    ended_at: state === 'waiting' ? null : now,
    last_error: null,
    told_by: toldBy,
    instead_of: insteadOf,
  }));
  for (let from = 0; from < rows.length; from += ROWS) {
    await scope
      .insert('deliveries', rows.slice(from, from + ROWS))
      .onConflict((conflict) => conflict.columns(['workspace_id', 'message_uuid', 'destination_uuid']).doNothing())
      .execute();
  }
}
