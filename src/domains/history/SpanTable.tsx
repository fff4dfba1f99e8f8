import type { ReadableDomain } from '#contract/domains/domain.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { useTimeZone } from '../../ui/format/time.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { describeCode } from '../records/describeCode.ts';
import { RECORD_STATUS_LABELS } from '../records/recordStatus.ts';
import { describeDifference } from './describeDifference.ts';
import { spanTime } from './describeSpan.ts';
import { describeSubject } from './describeSubject.ts';
import classes from './History.module.css';
import type { Strip } from './strips.ts';
import { Nothing } from '../../ui/values/Nothing.tsx';

type Props = { domain: ReadableDomain; strips: readonly Strip[] };

/** The strips in words, the newest first. */
export function SpanTable({ domain, strips }: Props) {
  const zone = useTimeZone();
  const rows = strips
    .flatMap(({ parts, ...strip }) => parts.map(({ span, previous }) => ({ strip, span, previous })))
    .flatMap(({ span, ...others }) => (span === null ? [] : { span, ...others }))
    .toSorted((one, other) => (one.span.started_at < other.span.started_at ? 1 : -1));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls with the keyboard
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="History as a table">
      <table className={classes.table} aria-label="History">
        <thead>
          <tr>
            {['From', 'To', 'Of', 'Found', 'What changed'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ strip, span, previous }) => {
            const { title, detail } = describeSubject(strip, domain);
            const words =
              previous === null ? [] : describeDifference(strip.subject, previous.finding.found, span.finding.found);
            const { tone, label } = RECORD_STATUS_LABELS[span.result];
            return (
              <tr key={`${strip.subject} ${span.started_at}`}>
                <th scope="row">{spanTime(span.started_at, zone)}</th>
                <td>{spanTime(span.ended_at, zone)}</td>
                <td>{escapeInvisible(`${title} ${detail}`)}</td>
                <td>
                  <StatusBadge tone={tone}>{label}</StatusBadge>{' '}
                  {span.result !== 'ok' && escapeInvisible(describeCode(span.code))}
                </td>
                <td>{escapeInvisible(words.join('; ')) || (previous === null ? 'first check' : <Nothing />)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
