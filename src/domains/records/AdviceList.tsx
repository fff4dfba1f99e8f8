import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './FindingDetail.module.css';
import { FindingDetail } from './FindingDetail.tsx';
import { RESULT_LABELS, type LiveCheck } from '../check/liveCheck.ts';

/**
 * Titles by the `about` of the advice, in the order in which they are shown. Advice about anything else comes first,
 * titled with that word.
 */
const ADVICE_TITLES = new Map([
  ['delegation', 'Delegation of the domain'],
  ['dmarc', 'DMARC'],
  ['alignment', 'Alignment of From, MAIL FROM and DKIM'],
  ['mail_from_mx', 'MX at the MAIL FROM name'],
  ['mail_from_spf', 'SPF at the MAIL FROM name'],
]);

const ORDER = [...ADVICE_TITLES.keys()];

/**
 * Advice about what is not a record of the domain but matters to its mail. While a check runs, the advice of the check
 * before is shown until the first new one.
 */
export function AdviceList({ check: { lines, earlierLines, completion } }: { check: LiveCheck }) {
  const shown = completion === null && !lines.some(({ kind }) => kind === 'advice') ? earlierLines : lines;
  const advice = shown
    .filter((one) => one.kind === 'advice')
    .toSorted((one, other) => ORDER.indexOf(one.about) - ORDER.indexOf(other.about));
  if (advice.length === 0) return null;
  return (
    <section className={classes.advice} aria-labelledby="dns-advice">
      <h3 id="dns-advice">Advice</h3>
      <p className="soft">Optional improvements: the domain does not fail without them.</p>
      <ul className="card">
        {advice.map(({ about, finding }, index) => {
          const title = ADVICE_TITLES.get(about) ?? escapeInvisible(about);
          return (
            // Two pieces of advice may be equal: only their place tells them apart.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <div className={classes.head}>
                <h4>{title}</h4>
                {/* Advice is never an error, so a failure is shown as a warning. */}
                {finding.result === 'fail' || finding.result === 'warn' ? (
                  <StatusBadge tone="warn">Could be better</StatusBadge>
                ) : (
                  <StatusBadge tone={RESULT_LABELS[finding.result].tone}>
                    {RESULT_LABELS[finding.result].label}
                  </StatusBadge>
                )}
              </div>
              <FindingDetail
                which={title}
                type={finding.fix?.type ?? 'TXT'}
                sentences={[finding.diagnosis]}
                finding={finding}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
