import type { Scope } from '../../database/scope.ts';

/** Removes a contact that is erased from all runs, and tickets that mention it. */
export async function removeFromRuns(
  scope: Scope,
  contactUuid: string,
  isMentioned: (text: string) => Promise<boolean>,
): Promise<void> {
  await scope.delete('run_contacts').where('contact_uuid', '=', contactUuid).execute();
  const tickets = await scope.select('runs').select('ticket').distinct().where('ticket', 'is not', null).execute();
  for (const { ticket } of tickets) {
    if (ticket === null || !(await isMentioned(ticket))) continue;
    await scope.update('runs').set({ ticket: null }).where('ticket', '=', ticket).execute();
  }
}
