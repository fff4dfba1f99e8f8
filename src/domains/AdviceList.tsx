import { escapeInvisible } from '#contract/invisibleCharacters.ts';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import classes from './AdviceList.module.css';
import { FindingDetail } from './FindingDetail.tsx';
import { RESULT_LABELS, type LiveCheck } from './liveCheck.ts';

/** What the words of the service stand for, in this order; any other is shown as it is, before them. */
const ADVICE_TITLES = new Map([
  ['delegation', 'Delegation of the domain'],
  ['dmarc', 'DMARC'],
  ['alignment', 'Alignment of From, MAIL FROM and DKIM'],
  ['mail_from_mx', 'MX at the MAIL FROM name'],
  ['mail_from_spf', 'SPF at the MAIL FROM name'],
]);

const ORDER = [...ADVICE_TITLES.keys()];

/** What is not among the records of the domain but matters to its mail. */
export function AdviceList({ check: { lines, earlierLines, completion } }: { check: LiveCheck }) {
  const known = completion === null && !lines.some(({ kind }) => kind === 'advice') ? earlierLines : lines;
  const advice = known
    .filter((one) => one.kind === 'advice')
    .toSorted((one, other) => ORDER.indexOf(one.about) - ORDER.indexOf(other.about));
  if (advice.length === 0) return null;
  return (
    <section className={classes.advice} aria-labelledby="dns-advice">
      <h3 id="dns-advice">Advice</h3>
      <p className={classes.note}>Optional improvements: the domain does not fail without them.</p>
      <ul>
        {advice.map(({ about, finding }, index) => {
          const title = ADVICE_TITLES.get(about) ?? escapeInvisible(about);
          return (
            // Two of the same kind are told apart by their place only.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <div className={classes.head}>
                <h4>{title}</h4>
                {/* Nothing of it is wrong, as a record can be: it is worth a look. */}
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
