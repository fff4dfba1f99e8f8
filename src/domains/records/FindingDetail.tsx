import { IconUserCircle } from '@tabler/icons-react';
import type { Finding, Fix } from '#contract/domains/dnsCheck.ts';
import { RESPONSIBLE_PARTY_LABELS, type ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { localizeMoment } from '../../ui/format/sentenceTime.ts';
import { parseTime, useTimeZone } from '../../ui/format/time.ts';
import { Countdown } from '../check/Countdown.tsx';
import type { DnsHost } from '../zone/dnsHosts.ts';
import { describeHostSteps } from '../zone/recognizeDnsHost.ts';
import { CopyableField } from './CopyableField.tsx';
import { EvidenceList } from './EvidenceList.tsx';
import classes from './FindingDetail.module.css';
import { shortenLabels } from './shortenLabels.ts';
import { closestTo, diffValues, normalizeValue, type DiffPart } from './valueDiff.ts';
import { DiffValue } from './DiffValue.tsx';

type Props = {
  /** Names the record for screen readers: "record 1: TXT mail.example.com". */
  which: string;
  type: string;
  /** Why: the diagnosis, and what else there is to say. */
  sentences: readonly string[];
  finding: Finding;
};

/** Why, what was found, and what to enter: each value once. */
export function FindingSummary({ which, type, sentences, finding }: Props) {
  const { fix, until } = finding;
  const zone = useTimeZone();
  const end = parseTime(until);
  const comparison = compare(type, finding);
  return (
    <>
      <div className={classes.why}>
        {sentences.map((sentence) => (
          <span key={sentence} title={escapeInvisible(sentence)}>
            {escapeInvisible(shortenLabels(end === null ? sentence : localizeMoment(sentence, end, zone)))}{' '}
          </span>
        ))}
        {until !== null && <Countdown key={until} until={until} />}
        {fix !== null && <strong title={escapeInvisible(fix.todo)}>{escapeInvisible(shortenLabels(fix.todo))}</strong>}
      </div>
      {(comparison !== null || fix !== null) && (
        <div className={classes.values}>
          {comparison !== null && <Found comparison={comparison} />}
          {fix !== null && <FixFields fix={fix} which={which} value={comparison?.wanted ?? null} />}
          {fix === null && comparison !== null && !comparison.hasRight && <ShouldBe parts={comparison.wanted} />}
        </div>
      )}
    </>
  );
}

type MoreProps = { which: string; finding: Finding; dnsHost: DnsHost | null };

/** The steps at the DNS host, the full name, and the evidence. */
export function FindingMore({ which, finding, dnsHost }: MoreProps) {
  const { fix, zone, evidence, dig, expected } = finding;
  const hasHost = fix !== null && fix.host !== null;
  return (
    <>
      {hasHost && dnsHost !== null && zone !== null && <Steps dnsHost={dnsHost} fix={fix} zone={zone} />}
      {hasHost && fix.host !== fix.name && (
        <CopyableField label="Full name" value={fix.name} what="full name to enter" which={which} />
      )}
      {fix !== null && expected !== null && ![fix.value, `${fix.priority} ${fix.value}`].includes(expected) && (
        <CopyableField label="Expected" value={expected} what="expected value" which={which} />
      )}
      {(evidence.length > 0 || dig !== '') && <EvidenceList finding={finding} which={which} />}
    </>
  );
}

export function TurnChip({ turn }: { turn: ResponsibleParty | null }) {
  if (turn === null) return null;
  return (
    <span className={classes.turn} data-own={turn === 'owner' || undefined}>
      <IconUserCircle size={14} stroke={2} aria-hidden />
      {RESPONSIBLE_PARTY_LABELS[turn]}
    </span>
  );
}

function Steps({ dnsHost, fix, zone }: { dnsHost: DnsHost; fix: Fix; zone: string }) {
  return (
    <ol className={classes.steps} aria-label={`Steps at ${dnsHost.name}`}>
      {describeHostSteps(dnsHost, fix, zone).map((step) => (
        <li key={step}>{escapeInvisible(step)}</li>
      ))}
    </ol>
  );
}

type Comparison = {
  wanted: readonly DiffPart[];
  found: readonly (readonly DiffPart[])[];
  /** What is wanted is among what was found, and only the others are marked. */
  hasRight: boolean;
};

/** Where what was found differs from what to enter, or else from what is expected. Null if that says nothing. */
function compare(type: string, { result, expected, found, fix }: Finding): Comparison | null {
  const offered = fix === null ? null : fix.priority === null ? fix.value : `${fix.priority} ${fix.value}`;
  const wanted = offered ?? expected;
  if (wanted === null || result === 'ok') return null;
  const isRight = (value: string) => normalizeValue(type, value) === normalizeValue(type, wanted);
  // Only for a record that fails does an empty `found` mean that nothing is published.
  if (found.length === 0)
    return result === 'fail' ? { wanted: [{ text: wanted, differs: false }], found: [], hasRight: false } : null;
  if (found.every(isRight)) return null;
  const right = found.findIndex(isRight);
  const closest = right === -1 ? closestTo(type, wanted, found) : right;
  const diff = diffValues(type, wanted, found[closest] ?? wanted);
  return {
    wanted: diff.expected,
    hasRight: right !== -1,
    // If the right value exists, others are marked as a whole.
    found: found.map((text, index) => (index === closest ? diff.found : [{ text, differs: right !== -1 }])),
  };
}

function Found({ comparison: { found } }: { comparison: Comparison }) {
  return (
    <div className={classes.row}>
      <span className={classes.label}>Found</span>
      <span className={classes.found}>
        {found.length === 0 && <span className="soft">Nothing</span>}
        {found.map((parts, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a finding never changes
          <DiffValue key={index} parts={parts} />
        ))}
      </span>
    </div>
  );
}

function ShouldBe({ parts }: { parts: readonly DiffPart[] }) {
  return (
    <div className={classes.row}>
      <span className={classes.label}>Expected</span>
      <DiffValue parts={parts} />
    </div>
  );
}

export function FixFields({
  fix,
  which,
  value: parts,
}: {
  fix: Fix;
  which: string;
  value: readonly DiffPart[] | null;
}) {
  const { type, host, name, value, priority } = fix;
  const shown = parts !== null && priority === null && parts.some(({ differs }) => differs) ? parts : null;
  return (
    <div className={classes.row}>
      <span className={classes.label}>Enter</span>
      <span className={classes.fields}>
        <CopyableField label="Type" value={type} what="type to enter" which={which} />
        <CopyableField
          label={host === null ? 'Full name' : 'Host'}
          value={host ?? name}
          what={host === null ? 'full name to enter' : 'host to enter'}
          which={which}
        />
        {priority !== null && (
          <CopyableField label="Priority" value={String(priority)} what="priority to enter" which={which} />
        )}
        <CopyableField label="Value" value={value} what="value to enter" which={which} parts={shown} />
      </span>
    </div>
  );
}
