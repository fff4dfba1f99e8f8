import { isRole, type Role } from '#contract/role.ts';
import { includesRole, type OperationId, requiredRole } from '#contract/roles.ts';
import { ROLE_NAMES } from './roleNames.ts';
import { useSession } from './useSession.ts';

/** Why the user may not call `operation`, as the end of a sentence ("Editing needs the role …"); null if they may, or it is unknown. */
export const useMissingRole = (operation: { id: OperationId }): string | null => useMissing(requiredRole(operation.id));

/** Likewise for what needs another role than its operation, such as to subscribe somebody again who complained. */
export function useMissing(required: Role): string | null {
  const { role } = useSession();
  if (role === null || !isRole(role) || includesRole(role, required)) return null;
  return `needs the role ${ROLE_NAMES[required]}; yours is ${ROLE_NAMES[role]}.`;
}
