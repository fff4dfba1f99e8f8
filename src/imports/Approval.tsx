import { useQuery } from '@tanstack/react-query';
import { listChanges } from '#contract/auditLog.ts';
import { getRunSettings } from '#contract/runs/runs.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { describeActor } from '../identity/describeChange.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import type { Preview } from './importJob.ts';

/** Above how many contacts unsubscribing needs approval; undefined until the service has said so. */
export const useApprovalAbove = () => useQuery(apiQuery(getRunSettings, {}));

/** What the setting means for this import: before its preview, and after one that is above it. */
export function Approval({ preview }: { preview: Preview | null }) {
  const { data, error, refetch } = useApprovalAbove();
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const above = data?.data.approval_above ?? null;
  if (above === null) return null;
  if (preview === null) {
    return (
      <p className="note">
        An import that unsubscribes more than {formatCount(above)} contacts isn’t written: more need approval. <SetBy />
      </p>
    );
  }
  if (preview.unsubscribed <= above) return null;
  return (
    <Notice
      tone="warn"
      title={`This import would unsubscribe ${formatCount(preview.unsubscribed)} contacts. More than ${formatCount(above)} need approval.`}
      actions={
        <>
          {preview.toUnsubscribe.length > 0 && (
            <CopyButton
              value={preview.toUnsubscribe.join('\n')}
              what="addresses"
              label={`Copy ${formatCount(preview.toUnsubscribe.length)} addresses`}
            />
          )}
          <Link to={paths.bulk}>Bulk unsubscribe</Link>
          <Link to={paths.runs}>Bulk runs</Link>
        </>
      }
    >
      <p>
        <SetBy /> A second person can approve a bulk run, but not an import. Unsubscribe these people with Bulk
        unsubscribe and check the file again, or raise the number in Bulk runs. The admin command imports any number.
      </p>
    </Notice>
  );
}

/** Who set the number, by the newest line of the log about it. */
function SetBy() {
  const { data } = useQuery(
    apiQuery(listChanges, { query: { page: 1, per_page: 1, filters: { action: 'run_settings' } } }),
  );
  const line = data?.data[0];
  if (!line?.actor) return null;
  return (
    <>
      Set by <UntrustedText text={describeActor(line.actor)} />, <DateTime value={line.created_at} />.
    </>
  );
}
