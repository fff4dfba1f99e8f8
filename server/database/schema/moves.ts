// Step 14: workspaces that move to another database while they are used.

export const MOVE_COLUMNS = [
  'workspaces add column read_only integer not null default 0',
  'workspaces add column moved_to text',
];

/** Each write of a workspace calls it, so that no service has to know that the workspace is moving (postgres/transactions.ts). */
export const REFUSE_READ_ONLY = `
  create function refuse_read_only(bigint) returns void language plpgsql as $$ begin
    if exists (select from workspaces where id = $1 and read_only = 1) then
      raise exception 'workspace % is read-only', $1 using errcode = 'SR001';
    end if;
  end $$`;
