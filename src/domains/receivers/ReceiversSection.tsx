import type { ReadableDomain } from '#contract/domains/domain.ts';
import {
  judgeReceivers,
  type JudgedRule,
  type Outcome,
  type ReceiverFinding,
  type ReceiverJudgement,
} from '#contract/receivers/judgeReceivers.ts';
import { RECEIVERS } from '#contract/receivers/receivers.ts';
import type { Rule } from '#contract/receivers/rules.ts';
import { localDate } from '../../ui/format/time.ts';
import { StatusBadge, type Tone } from '../../ui/values/StatusBadge.tsx';
import { ReadBounceButton } from '../bounce/ReadBounceButton.tsx';
import { FoldedSection } from '../FoldedSection.tsx';
import { BulkSwitch } from './BulkSwitch.tsx';
import classes from './Receivers.module.css';

/** A finding with what it's about: "DKIM (record 1)". */
export type NamedFinding = ReceiverFinding & { name: string };

type Judgement = ReceiverJudgement<NamedFinding>;

const OUTCOME_LABELS: Record<Outcome, { tone: Tone; label: string }> = {
  refuses: { tone: 'bad', label: 'Refuses' },
  limits: { tone: 'warn', label: 'Limits' },
  unknown: { tone: 'neutral', label: 'Unknown' },
  accepts: { tone: 'good', label: 'Accepts' },
};

type Props = { domain: ReadableDomain; findings: readonly NamedFinding[]; sendsBulk: boolean };

export function ReceiversSection({ domain, findings, sendsBulk }: Props) {
  const judged = judgeReceivers({ findings, sendsBulk });
  return (
    <FoldedSection id="receivers" title="Receivers" summary={<Summary judged={judged} />}>
      <div className={classes.above}>
        <BulkSwitch domain={domain} sendsBulk={sendsBulk} />
        <ReadBounceButton domain={domain.name} />
      </div>
      <ul className={classes.list}>
        {judged.map((one) => (
          <li key={one.receiver}>
            <Receiver judged={one} />
          </li>
        ))}
      </ul>
    </FoldedSection>
  );
}

/** "Refuses: Gmail, Outlook.com", the gravest first. */
function Summary({ judged }: { judged: readonly Judgement[] }) {
  const outcomes = (['refuses', 'limits', 'unknown', 'accepts'] as const).flatMap((outcome) => {
    const names = judged.filter((one) => one.outcome === outcome).map(({ receiver }) => RECEIVERS[receiver]);
    return names.length === 0 ? [] : { outcome, names: names.join(', ') };
  });
  return (
    <span className={classes.summary}>
      {outcomes.map(({ outcome, names }) => (
        <span key={outcome}>
          <StatusBadge tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</StatusBadge> {names}
        </span>
      ))}
    </span>
  );
}

function Receiver({ judged: { receiver, outcome, rules, notVisible } }: { judged: Judgement }) {
  const { tone, label } = OUTCOME_LABELS[outcome];
  return (
    <>
      <h3 className={classes.name}>
        <span>{RECEIVERS[receiver]}</span> <StatusBadge tone={tone}>{label}</StatusBadge>
      </h3>
      <div className={classes.rules}>
        {rules.length === 0 && <p className="soft">{describeNothing(outcome)}</p>}
        {rules.length > 0 && (
          <ul>
            {rules.map((one) => (
              <UnmetRule key={one.rule.id} judged={one} />
            ))}
          </ul>
        )}
        <details>
          <summary>Not visible from DNS: {notVisible.length}</summary>
          <ul>
            {notVisible.map((rule) => (
              <li key={rule.id}>
                {rule.requirement} <Since rule={rule} />
              </li>
            ))}
          </ul>
        </details>
        <Sources rules={[...rules.map(({ rule }) => rule), ...notVisible]} />
      </div>
    </>
  );
}

const describeNothing = (outcome: Outcome) =>
  outcome === 'accepts' ? 'Meets every requirement that the DNS shows.' : 'The DNS shows none of its requirements.';

const UNMET: Record<Outcome, string> = {
  refuses: 'Not met, so it refuses mail',
  limits: 'Not met, so it limits mail',
  unknown: 'Not known to be met',
  accepts: 'Met',
};

/** A requirement that isn't met, in the tone of what the receiver does because of it. */
function UnmetRule({ judged: { rule, outcome, blames } }: { judged: JudgedRule<NamedFinding> }) {
  const names = blames.map(({ name }) => name);
  return (
    <li className={`${classes.rule} state-icon`} data-tone={OUTCOME_LABELS[outcome].tone}>
      <span className="visually-hidden">{UNMET[outcome]}: </span>
      {rule.requirement} {names.length > 0 && <b>Look at {names.join(', ')}.</b>} <Since rule={rule} />
    </li>
  );
}

const day = (text: string) => localDate(new Date(`${text}T00:00:00Z`), 'UTC');

function Since({ rule: { since } }: { rule: Rule }) {
  return since !== null && <span className={classes.source}>since {day(since)}</span>;
}

/** The pages of a receiver, each once. */
function Sources({ rules }: { rules: readonly Rule[] }) {
  const pages = new Map(rules.map(({ source, asOf }) => [source, asOf]));
  return (
    <p className={classes.source}>
      {[...pages].map(([source, asOf], index) => (
        <span key={source}>
          {index > 0 && ' · '}
          <a href={source} target="_blank" rel="noreferrer">
            {new URL(source).host}
          </a>
          , read on {day(asOf)}
        </span>
      ))}
    </p>
  );
}
