import { IconUserCircle } from '@tabler/icons-react';
import {
  RESPONSIBLE_PARTY_LABELS,
  type Evidence,
  type Finding,
  type Fix,
  type ResponsibleParty,
} from '#contract/dnsCheck.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { localizeMoment } from '../../ui/format/sentenceTime.ts';
import { parseTime, useTimeZone } from '../../ui/format/time.ts';
import { Countdown } from '../check/Countdown.tsx';
import { CopyableField, LongText, OnDemand } from './CopyableField.tsx';
import type { DnsHost } from '../zone/dnsHosts.ts';
import { describeHostSteps } from '../zone/recognizeDnsHost.ts';
import classes from './FindingDetail.module.css';
import { normalizeValue, closestTo, diffValues, type DiffPart } from './valueDiff.ts';

type Props = {
  which: string;
  type: string;
  sentences: readonly string[];
  finding: Finding;
  dnsHost?: DnsHost | null;
};

export function FindingDetail({ which, type, sentences, finding, dnsHost = null }: Props) {
  const { result, expected, found, turn, fix, until } = finding;
  const zone = useTimeZone();
  const end = parseTime(until);
  const differs =
    expected !== null && found.some((value) => normalizeValue(type, value) !== normalizeValue(type, expected));
  // Only for a failed record does an empty `found` mean that nothing is published.
  const compares = result !== 'ok' && (differs || (result === 'fail' && found.length === 0));
  return (
    <div className={classes.detail}>
      <div className={classes.sentences}>
        {turn !== null && <ResponsiblePartyLine turn={turn} />}
        {sentences.map((sentence) => (
          <p key={sentence}>{escapeInvisible(end === null ? sentence : localizeMoment(sentence, end, zone))}</p>
        ))}
        {until !== null && <Countdown key={until} until={until} />}
      </div>
      {compares && expected !== null && <Comparison type={type} expected={expected} found={found} />}
      {fix !== null && <FixFields fix={fix} which={which} zone={finding.zone} dnsHost={dnsHost} />}
      <EvidenceList finding={finding} which={which} />
    </div>
  );
}

function ResponsiblePartyLine({ turn }: { turn: ResponsibleParty }) {
  return (
    <p className={classes.turn} data-own={turn === 'owner' || undefined}>
      <IconUserCircle size={14} stroke={2} aria-hidden />
      {RESPONSIBLE_PARTY_LABELS[turn]}
    </p>
  );
}

type FixProps = { fix: Fix; which: string; zone: string | null; dnsHost: DnsHost | null };

function FixFields({ fix, which, zone, dnsHost }: FixProps) {
  const { todo, type, host, name, value, priority } = fix;
  return (
    <div className={classes.fix}>
      <p className={classes.todo}>{escapeInvisible(todo)}</p>
      {dnsHost !== null && zone !== null && host !== null && (
        <ol className={classes.steps} aria-label={`Steps at ${dnsHost.name}`}>
          {describeHostSteps(dnsHost, fix, zone).map((step) => (
            <li key={step}>{escapeInvisible(step)}</li>
          ))}
        </ol>
      )}
      <CopyableField label="Type" value={type} what="type to enter" which={which} />
      {host !== null && <CopyableField label="Host" value={host} what="host to enter" which={which} />}
      {host === null && <CopyableField label="Full name" value={name} what="full name to enter" which={which} />}
      {host !== null && name !== host && (
        <OnDemand label="Full name" which={`what to enter, ${which}`}>
          <CopyableField label="Full name" value={name} what="full name to enter" which={which} />
        </OnDemand>
      )}
      <CopyableField label="Value" value={value} what="value to enter" which={which} />
      {priority !== null && (
        <CopyableField label="Priority" value={String(priority)} what="priority to enter" which={which} />
      )}
    </div>
  );
}

function EvidenceList({ finding: { evidence, dig }, which }: { finding: Finding; which: string }) {
  if (evidence.length === 0 && dig === '') return null;
  return (
    <details className={classes.evidence}>
      <summary>Evidence: {evidence.length === 1 ? '1 response' : `${evidence.length} responses`}</summary>
      <ul>
        {evidence.map((one, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <EvidenceItem evidence={one} />
          </li>
        ))}
      </ul>
      {dig !== '' && (
        <p className={classes.dig}>
          <code>{escapeInvisible(dig)}</code> <CopyButton value={dig} what="dig command" which={which} />
        </p>
      )}
    </details>
  );
}

function EvidenceItem({ evidence: { server, address, at, answer, records } }: { evidence: Evidence }) {
  return (
    <>
      <p>
        {server === null
          ? `Resolver ${escapeInvisible(address)}`
          : `${escapeInvisible(server)} (${escapeInvisible(address)})`}
        , <DateTime value={at} show="moment" />: {escapeInvisible(answer)}
        {records.length === 0 && ', no record'}
      </p>
      {records.map(({ name, type, value, ttl }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a response never changes
        <p key={index} className={classes.record}>
          <code>
            {escapeInvisible(name)} {escapeInvisible(type)}{' '}
            <LongText length={value.length}>{escapeInvisible(value)}</LongText>
          </code>{' '}
          <span className={classes.ttl}>TTL {ttl} s</span>
        </p>
      ))}
    </>
  );
}

/** Characters. Of a longer equal part, only the beginning and the end are shown. */
const EQUAL_MAX = 96;

type ComparisonProps = { type: string; expected: string; found: readonly string[] };

function Comparison({ type, expected, found }: ComparisonProps) {
  const right = found.findIndex((value) => normalizeValue(type, value) === normalizeValue(type, expected));
  const closest = right === -1 ? closestTo(type, expected, found) : right;
  const diff = diffValues(type, expected, found[closest] ?? expected);
  return (
    <dl className={classes.comparison}>
      <div>
        <dt>Expected</dt>
        <dd>
          <Value parts={diff.expected} />
        </dd>
      </div>
      <div>
        <dt>Found</dt>
        {found.length === 0 && <dd className={classes.nothing}>Nothing</dd>}
        {found.map((value, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <dd key={index}>
            {/* If the right value exists, others are marked as a whole. */}
            <Value parts={index === closest ? diff.found : [{ text: value, differs: right !== -1 }]} />
          </dd>
        ))}
      </div>
    </dl>
  );
}

function Value({ parts }: { parts: readonly DiffPart[] }) {
  const texts = parts.map((part) => shortenEqualPart(part, parts.length > 1));
  const { length } = texts.join('');
  if (length === 0) return <span className={classes.nothing}>empty</span>;
  return (
    <code className={classes.value}>
      <LongText length={length}>
        {parts.map((part, index) =>
          part.differs ? (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one value never change places
            <mark key={index} className={classes.mark}>
              {texts[index]}
            </mark>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>{texts[index]}</span>
          ),
        )}
      </LongText>
    </code>
  );
}

/** The text of a part; a long equal one is shortened. `isAround`: other parts differ. */
function shortenEqualPart({ text, differs }: DiffPart, isAround: boolean): string {
  const whole = escapeInvisible(text);
  if (differs || !isAround || whole.length <= EQUAL_MAX) return whole;
  return `${whole.slice(0, EQUAL_MAX / 2)} … ${whole.slice(-EQUAL_MAX / 2)}`;
}
