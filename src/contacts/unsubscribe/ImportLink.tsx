import { listChanges } from '#contract/auditLog.ts';
import { useCapability } from '../../session/useSession.ts';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';

/** "an import", with a link to what it did, if the log has that. */
export function ImportLink({ run }: { run: string | null }) {
  const hasLog = useCapability(listChanges);
  return run === null || !hasLog ? 'an import' : <Link to={paths.activityOfRun(run)}>an import</Link>;
}
