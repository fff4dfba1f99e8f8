import { isRole } from '#contract/role.ts';
import { includesRole, type OperationId, requiredRole } from '#contract/roles.ts';
import { ROLE_NAMES } from './roleNames.ts';
import { useSession } from './useSession.ts';

/** Why the user may not call `operation`, as the end of a sentence ("Editing needs the role …"); null if they may, or it is unknown. */
export function useMissingRole(operation: { id: OperationId }): string | null {
  const { role } = useSession();
  const required = requiredRole(operation.id);
  if (role === null || !isRole(role) || includesRole(role, required)) return null;
  return `needs the role ${ROLE_NAMES[required]}; yours is ${ROLE_NAMES[role]}.`;
}
