import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './FindingDetail.module.css';
import { FindingDetail } from './FindingDetail.tsx';
import type { LiveCheck } from '../check/liveCheck.ts';
import { RECORD_STATUS_LABELS } from './recordStatus.ts';

/** Titles by the `about` of the advice, in their order. */
const ADVICE_TITLES = new Map([
  ['delegation', 'Delegation of the domain'],
  ['dmarc', 'DMARC'],
  ['alignment', 'Alignment of From, MAIL FROM and DKIM'],
  ['mail_from_mx', 'MX at the MAIL FROM name'],
  ['mail_from_spf', 'SPF at the MAIL FROM name'],
]);

const ORDER = [...ADVICE_TITLES.keys()];

/** Advice about the domain's mail beyond its records. During a check, the earlier advice stays until the first new one. */
export function AdviceList({ check: { lines, earlierLines, completion } }: { check: LiveCheck }) {
  const shown = completion === null && !lines.some(({ kind }) => kind === 'advice') ? earlierLines : lines;
  const advice = shown
    .filter((one) => one.kind === 'advice')
    .toSorted((one, other) => ORDER.indexOf(one.about) - ORDER.indexOf(other.about));
  if (advice.length === 0) return null;
  return (
    <section className={classes.advice} aria-labelledby="dns-advice">
      <h3 id="dns-advice">Advice</h3>
      <p className="soft">Optional improvements. The domain doesn't fail without them.</p>
      <ul className="card">
        {advice.map(({ about, finding }, index) => {
          const title = ADVICE_TITLES.get(about) ?? escapeInvisible(about);
          // Advice is never a failure.
          const { tone, label } = RECORD_STATUS_LABELS[finding.result === 'fail' ? 'warn' : finding.result];
          return (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <div className={classes.head}>
                <h4>{title}</h4>
                <StatusBadge tone={tone}>{label}</StatusBadge>
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
