import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReadableDomainReport } from '#contract/domains/domainReport.ts';
import type { ReadableOverview } from '#contract/overview.ts';
import type { RunCounts } from '#contract/runs/runCounts.ts';
import type { ReadableBurst } from '#contract/suppressions/unsubscribeBursts.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { describeCause } from '../domains/table/describeCause.ts';
import { listProblems, rowOfReport } from '../domains/table/rows/domainRow.ts';
import { RECORD_KIND_LABELS } from '../domains/records/recordKind.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { useRailMark } from '../ui/page/railMarks.ts';
import { DateTime } from '../ui/values/DateTime.tsx';
import { EndCut } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './NeedsYou.module.css';
import { isFarAboveUsual, usualOf } from './usual.ts';

/** A page of the domains that need fixing. */
type Failing = UseQueryResult<{ data: ReadableDomainReport[]; meta: { total: number } }>;

type Props = {
  failing: Failing;
  bursts: readonly ReadableBurst[];
  runs: RunCounts | undefined;
  overview: ReadableOverview | undefined;
};

const NO_RUNS: RunCounts = { to_approve: 0, unfinished: 0 };

/** Groups that are named one by one. */
const BURSTS = 3;

/** The answer that people come for: what needs somebody, in a sentence and then line by line. */
export function NeedsYou({ failing, bursts, runs = NO_RUNS, overview }: Props) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const mark = useRailMark(paths.bulk);
  const complaints = overview?.today.reasons.find(({ reason }) => reason === 'complaint');
  const hasAlarm = complaints !== undefined && isFarAboveUsual(complaints);
  const { data: reports = [], meta } = failing.data ?? {};
  const more = (meta?.total ?? 0) - reports.length;
  return (
    <section className={classes.needs} aria-labelledby="needs">
      <h2 id="needs">
        {failing.isLoading ? (
          <span className={classes.pending} />
        ) : (
          headline(meta?.total ?? 0, { hasAlarm, hasBursts: bursts.length > 0, mark, runs })
        )}
      </h2>
      {failing.isError && <ErrorAlert error={failing.error} onRetry={() => void failing.refetch()} />}
      <table aria-labelledby="needs">
        <tbody>
          {reports.map((report) => (
            <FailingDomain key={report.domain.uuid} report={report} />
          ))}
          {more > 0 && (
            <Row to={`${paths.domains}?state=failing`} name={`${formatCount(more)} more`}>
              Domains that need fixing
            </Row>
          )}
          {hasAlarm && (
            <Row to={`${paths.suppressions}?reason=complaint`} name="Spam complaints" tone="warn">
              {formatCount(complaints.today)} people today, usually {formatCount(usualOf(complaints.before))} by now
            </Row>
          )}
          {bursts.slice(0, BURSTS).map(({ domain, from, contacts }) => (
            <Row key={`${domain} ${from}`} to={paths.suppressions} name={domain} tone="warn" since={from}>
              {formatCount(contacts.length)} people unsubscribed within seconds, perhaps by a link scanner
            </Row>
          ))}
          {runs.to_approve > 0 && (
            <Row to={paths.runs} name="Runs to approve" tone="warn">
              {formatCount(runs.to_approve)} waiting for a second person
            </Row>
          )}
          {mark !== null && (
            <Row to={paths.bulk} name={mark.isRunning ? 'List running' : 'Unfinished list'} tone="warn">
              {mark.text}
            </Row>
          )}
          {runs.unfinished > 0 && (
            <Row to={paths.runs} name="Unfinished runs">
              {formatCount(runs.unfinished)} of the last 30 days
            </Row>
          )}
        </tbody>
      </table>
    </section>
  );
}

type Others = { hasAlarm: boolean; hasBursts: boolean; mark: { isRunning: boolean } | null; runs: RunCounts };

function headline(failing: number, { hasAlarm, hasBursts, mark, runs }: Others): string {
  if (failing > 0) return failing === 1 ? 'One domain needs fixing' : `${formatCount(failing)} domains need fixing`;
  if (hasAlarm) return 'More unsubscribes for spam complaints than usual';
  if (hasBursts) return 'A link scanner may have unsubscribed people';
  if (runs.to_approve > 0) return 'Bulk runs wait for approval';
  if (mark !== null) return mark.isRunning ? 'A list is running' : 'A list isn’t finished';
  if (runs.unfinished > 0) return 'Bulk runs aren’t finished';
  return 'Nothing needs you';
}

function FailingDomain({ report }: { report: ReadableDomainReport }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { name } = report.domain;
  const [worst, ...others] = listProblems(rowOfReport(report).findings).filter(({ accepted }) => accepted === null);
  const what =
    worst === undefined
      ? []
      : [
          `${RECORD_KIND_LABELS[worst.kind]}: ${worst.code === null ? 'needs fixing' : describeCause(worst.code)}`,
          ...(others.length > 0 ? [`${others.length} more`] : []),
        ];
  const { address_count: addresses } = report;
  if (addresses > 0) what.push(`${formatCount(addresses)} ${addresses === 1 ? 'address' : 'addresses'}`);
  return (
    <Row to={paths.domain(name)} name={name} tone="bad" since={worst?.since}>
      {what.join(' · ')}
    </Row>
  );
}

type RowProps = {
  to: string;
  name: string;
  tone?: 'bad' | 'warn';
  since?: string | null | undefined;
  children: ReactNode;
};

const Row = ({ to, name, tone, since, children }: RowProps) => (
  <tr>
    <th scope="row">
      <span className={tone && 'state-icon'} data-tone={tone}>
        <Link to={to}>
          <EndCut text={name} />
        </Link>
      </span>
    </th>
    <td>{children}</td>
    <td>{since && <DateTime value={since} />}</td>
  </tr>
);
