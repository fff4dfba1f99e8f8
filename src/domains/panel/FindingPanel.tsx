import { useCapability } from '../../session/useSession.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { EndCut, UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { useLatestCheck } from '../check/latestCheck.ts';
import { describeFinding } from '../check/liveCheck.ts';
import { describePageState } from '../pageState.ts';
import { describeCause } from '../table/describeCause.ts';
import { FindingSummary, TurnChip } from '../records/FindingDetail.tsx';
import { listItems, stateOf, type Item } from '../records/items.ts';
import { RECORD_STATUS_LABELS } from '../records/recordStatus.ts';
import { describeReceivers } from '../table/describeCell.ts';
import type { DomainRow } from '../table/rows/domainRow.ts';
import classes from './FindingPanel.module.css';

type Props = { row: DomainRow; onClose: () => void };

/** What was found about the domain of a row, next to the table. It never takes the focus. */
export function FindingPanel({ row, onClose }: Props) {
  const { domain } = row;
  const latest = useLatestCheck(domain);
  const items = listItems(domain, latest.check, latest.report, latest.isFetching);
  const { tone, label, rest } = describePageState(domain, items, latest.report?.address_count ?? null);
  const right = items.filter((item) => stateOf(item) === 'ok');
  const receivers = describeReceivers(row);
  return (
    <SidePanel
      className={classes.panel}
      label={`Findings of ${escapeInvisible(domain.name)}`}
      title={
        <Link to={paths.domain(domain.name)}>
          <EndCut text={domain.name} />
        </Link>
      }
      onClose={onClose}
    >
      <p className={classes.state}>
        <StatusBadge tone={tone}>{label}</StatusBadge> <span className="note">{escapeInvisible(rest)}</span>
      </p>
      {latest.error !== null && <ErrorAlert error={latest.error} onRetry={latest.retry} />}
      {latest.isLoading ? (
        <p className="note" role="status">
          Loading…
        </p>
      ) : (
        <ul className={classes.items}>
          {items
            .filter((item) => stateOf(item) !== 'ok')
            .map((item) => (
              <PanelItem key={item.key} item={item} />
            ))}
        </ul>
      )}
      {right.length > 0 && (
        <p className={classes.right}>
          <span className="state-icon" data-tone="good">
            OK:
          </span>{' '}
          {[...new Set(right.map(({ title }) => title))].join(', ')}
        </p>
      )}
      {receivers !== null && <p className="note">{receivers.details}</p>}
    </SidePanel>
  );
}

function PanelItem({ item }: { item: Item }) {
  const { title, record, finding, verdict } = item;
  const state = stateOf(item);
  const canFilter = useCapability(listDomainReports);
  const { tone, label } =
    state === 'accepted' ? { tone: 'neutral' as const, label: 'Accepted' } : RECORD_STATUS_LABELS[state];
  const subject = record === null ? title : `${title}: ${record.type ?? ''} ${record.name ?? ''}`;
  return (
    <li className={classes.item} data-state={state}>
      <p className={classes.line}>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <strong title={escapeInvisible(subject)}>{escapeInvisible(title)}</strong>
        {finding !== null && canFilter && (
          <Link to={`${paths.domains}?code=${encodeURIComponent(finding.code)}`} title="All domains with this cause">
            {describeCause(finding.code)}
          </Link>
        )}
        {finding !== null && !canFilter && <span>{describeCause(finding.code)}</span>}
      </p>
      {finding === null ? (
        <p className="note">
          <UntrustedText text={`${record?.type ?? ''} ${record?.name ?? ''}`} />
        </p>
      ) : (
        <FindingSummary
          which={subject}
          type={record?.type ?? finding.fix?.type ?? 'TXT'}
          sentences={describeFinding(record?.is_valid ?? null, finding)}
          finding={finding}
        />
      )}
      <p className={classes.facts}>
        <TurnChip turn={finding?.turn ?? null} />
        {verdict !== undefined && (
          <span>
            since <DateTime value={verdict.since} />
          </span>
        )}
        {verdict?.accepted && (
          <span>
            accepted by <UntrustedText text={verdict.accepted.actor.name ?? verdict.accepted.actor.kind} /> until{' '}
            <DateTime value={verdict.accepted.until} show="moment" />: <UntrustedText text={verdict.accepted.reason} />
          </span>
        )}
        {finding?.cause && canFilter && (
          <Link to={`${paths.domains}?cause=${encodeURIComponent(finding.cause)}`}>Domains with this cause</Link>
        )}
      </p>
    </li>
  );
}
