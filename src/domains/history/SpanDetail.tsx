import type { Span } from '#contract/domains/domainHistory.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { describeCode } from '../records/describeCode.ts';
import { EvidenceList } from '../records/EvidenceList.tsx';
import { LongText } from '../records/LongText.tsx';
import { RECORD_STATUS_LABELS } from '../records/recordStatus.ts';
import { shortenLabels } from '../records/shortenLabels.ts';
import { describeDifference } from './describeDifference.ts';
import classes from './History.module.css';

type Props = { subject: string; span: Span; previous: Span | null };

/** A change: what differs in words, between which looks, and the evidence on both sides. */
export function SpanDetail({ subject, span, previous }: Props) {
  const words = previous === null ? [] : describeDifference(subject, previous.finding.found, span.finding.found);
  return (
    <div className={classes.detail}>
      {words.length > 0 && (
        <ul className={classes.words}>
          {words.map((word) => (
            <li key={word}>{escapeInvisible(word)}</li>
          ))}
        </ul>
      )}
      <p className="soft">
        {previous === null ? (
          <>
            First checked <DateTime value={span.started_at} show="local" />, the same until
          </>
        ) : (
          <>
            Changed between <DateTime value={previous.ended_at} show="local" /> and{' '}
            <DateTime value={span.started_at} show="local" />, then the same until
          </>
        )}{' '}
        <DateTime value={span.ended_at} show="local" />.
      </p>
      <div className={classes.sides}>
        {previous !== null && <Side title="Before" span={previous} />}
        <Side title={previous === null ? ONLY : 'After'} span={span} />
      </div>
    </div>
  );
}

/** The sentence above has the time. */
const ONLY = 'Found at the first check';

function Side({ title, span: { result, code, finding, started_at } }: { title: string; span: Span }) {
  const { tone, label } = RECORD_STATUS_LABELS[result];
  return (
    <div className={classes.side} role="group" aria-label={title}>
      <p>
        <span className="soft">{title}</span> <StatusBadge tone={tone}>{label}</StatusBadge>{' '}
        {result !== 'ok' && escapeInvisible(describeCode(code))}
      </p>
      {title !== ONLY && (
        <p className="soft">
          First found <DateTime value={started_at} show="local" />
        </p>
      )}
      <p title={escapeInvisible(finding.diagnosis)}>{escapeInvisible(shortenLabels(finding.diagnosis))}</p>
      {finding.found.map((value, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a finding never changes
        <p key={index}>
          <code>
            <LongText length={value.length}>{escapeInvisible(value)}</LongText>
          </code>
        </p>
      ))}
      <details>
        <summary>Evidence</summary>
        <EvidenceList finding={finding} which={title.toLowerCase()} />
      </details>
    </div>
  );
}
