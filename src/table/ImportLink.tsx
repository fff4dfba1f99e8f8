import type { OperationId } from '#contract/roles.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';

/** Without its operation, which is loaded with its page. */
const IMPORT = { id: 'startImport' } satisfies { id: OperationId };

/** For those who may import contacts in the console. */
export function ImportLink({ label }: { label: string }) {
  const isHere = useCapability(IMPORT);
  const isAllowed = useMissingRole(IMPORT) === null;
  return isHere && isAllowed ? (
    <p>
      <Link to={paths.importContacts}>{label}</Link>
    </p>
  ) : null;
}
