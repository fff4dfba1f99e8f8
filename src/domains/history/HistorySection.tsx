import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { localDate, useTimeZone } from '../../ui/format/time.ts';
import { Notice } from '../../ui/Notice.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import type { ReadReport } from '../check/latestCheck.ts';
import { FoldedSection } from '../FoldedSection.tsx';
import classes from './History.module.css';
import { historyQuery } from './historyQuery.ts';
import { DkimKeys } from './DkimKeys.tsx';
import { HistoryStrip } from './HistoryStrip.tsx';
import { SpanDetail } from './SpanDetail.tsx';
import { SpanTable } from './SpanTable.tsx';
import { DAYS, type Strip, toStrips } from './strips.ts';
import { describeSubject } from './describeSubject.ts';

type Props = { domain: ReadableDomain; report: ReadReport; isOpenAtFirst: boolean };

/** What was found in the last 90 days: a strip per record, and the evidence on both sides of a change. */
export function HistorySection({ domain, report, isOpenAtFirst }: Props) {
  const summary =
    report.changed_at === null ? (
      'no change'
    ) : (
      <>
        last change <DateTime value={report.changed_at} />
      </>
    );
  return (
    <FoldedSection id="history" title={`Last ${DAYS} days`} summary={summary} isOpenAtFirst={isOpenAtFirst}>
      <History domain={domain} />
      <DkimKeys keys={report.dkim_keys} />
    </FoldedSection>
  );
}

function History({ domain }: { domain: ReadableDomain }) {
  const query = useQuery(historyQuery(domain.uuid));
  const [isAll, setAll] = useState(false);
  const [isTable, setTable] = useState(false);
  if (query.isError) return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (query.isPending) return <div className={classes.loading} role="status" aria-label="Reading the history" />;
  const strips = toStrips(query.data.spans, query.dataUpdatedAt);
  if (strips.length === 0) return <p className="soft">Nobody has checked this domain in {DAYS} days.</p>;
  const changed = strips.filter(({ changes, parts }) => changes > 0 || parts.at(-1)?.span?.result === 'fail');
  const shown = isAll ? strips : changed;
  return (
    <>
      {!query.data.isWhole && (
        <Notice tone="warn" title="Only the newest part is shown">
          There is more history than this page reads.
        </Notice>
      )}
      {shown.length === 0 && <p className="soft">Nothing has changed since the first check.</p>}
      {shown.length > 0 &&
        (isTable ? (
          <SpanTable domain={domain} strips={shown} />
        ) : (
          <Strips domain={domain} strips={shown} now={query.dataUpdatedAt} />
        ))}
      <div className={classes.buttons}>
        {changed.length < strips.length && (
          <Button size="compact-sm" variant="default" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Only what changed or needs fixing' : `Show all ${strips.length}`}
          </Button>
        )}
        {shown.length > 0 && (
          <Button size="compact-sm" variant="default" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as strips' : 'Show as a table'}
          </Button>
        )}
      </div>
    </>
  );
}

type StripsProps = { domain: ReadableDomain; strips: readonly Strip[]; now: number };

function Strips({ domain, strips, now }: StripsProps) {
  const zone = useTimeZone();
  const [chosen, choose] = useState<{ subject: string; part: number } | null>(null);
  return (
    <div className={classes.strips}>
      {strips.map((strip) => {
        const { title, detail } = describeSubject(strip, domain);
        const part = chosen?.subject === strip.subject ? chosen.part : null;
        const picked = part === null ? undefined : strip.parts[part];
        return (
          <div key={strip.subject} className={classes.row}>
            <span className={classes.name} title={escapeInvisible(strip.subject)}>
              <b>{escapeInvisible(title)}</b> {escapeInvisible(detail)}
            </span>
            <HistoryStrip
              label={escapeInvisible(`${title} ${detail}`.trim())}
              parts={strip.parts}
              chosen={part}
              onChoose={(index) => choose(index === null ? null : { subject: strip.subject, part: index })}
            />
            {picked?.span && <SpanDetail subject={strip.subject} span={picked.span} previous={picked.previous} />}
          </div>
        );
      })}
      <p className={classes.axis} aria-hidden>
        <span>{localDate(now - DAYS * 86_400_000, zone)}</span>
        <Legend />
        <span>now</span>
      </p>
    </div>
  );
}

const LEGEND = [
  ['ok', 'OK'],
  ['warn', 'Advice'],
  ['pending', 'Propagating'],
  ['fail', 'Needs fixing'],
  ['unknown', 'Unknown'],
  ['none', 'Not checked'],
] as const;

function Legend() {
  return (
    <span className={classes.legend}>
      {LEGEND.map(([result, label]) => (
        <span key={result}>
          <i className={classes.part} data-result={result} /> {label}
        </span>
      ))}
    </span>
  );
}
