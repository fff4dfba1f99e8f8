import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { type DmarcCondition, type DmarcPhase, judgeDmarcPhase } from '#contract/receivers/dmarcPhase.ts';
import { localDate, useTimeZone } from '../../ui/format/time.ts';
import { StatusBadge, type Tone } from '../../ui/values/StatusBadge.tsx';
import type { ReadReport } from '../check/latestCheck.ts';
import { FoldedSection } from '../FoldedSection.tsx';
import { FixFields } from '../records/FindingDetail.tsx';
import type { Item } from '../records/items.ts';
import { readDmarc, type KnownDmarc } from './dmarcInput.ts';
import classes from './Receivers.module.css';

const PHASES: Record<DmarcPhase, string> = {
  unknown: 'not known',
  absent: 'no record',
  unreadable: 'receivers ignore the record',
  none: 'no policy, no reports',
  monitoring: 'monitoring (p=none with reports)',
  testing: 'test mode',
  quarantine: 'quarantine',
  reject: 'reject',
};

type Props = { domain: ReadableDomain; items: readonly Item[]; report: ReadReport | undefined };

/** Where the domain is with DMARC, and the next safe step. */
export function DmarcSection({ domain, items, report }: Props) {
  const known = readDmarc(domain, items, report);
  const [address, setAddress] = useState('');
  const [now] = useState(() => Date.now());
  const { phase, isInherited, next } = judgeDmarcPhase({
    ...known,
    reportsAddress: address.trim() === '' ? null : address.trim(),
    now,
  });
  const { isBeingFixed } = known;
  const step =
    next === null || isBeingFixed ? '' : `. Next: ${PHASES[next.phase]}${next.isReady ? ', when you’re ready' : ''}`;
  return (
    <FoldedSection
      id="dmarc-phase"
      title="DMARC phase"
      summary={`${PHASES[phase]}${isInherited ? ' (record of the domain above)' : ''}${step}`}
    >
      <div className={classes.phase}>
        {next === null || isBeingFixed ? (
          <p>{isBeingFixed ? FIX_FIRST : describeEnd(phase, isInherited)}</p>
        ) : (
          <>
            <Conditions conditions={next.conditions} />
            {next.phase === 'monitoring' && (
              <TextInput
                label="Mailbox for reports"
                description="Receivers send reports about your mail there, as XML, every day."
                value={address}
                autoComplete="off"
                placeholder={`dmarc@${domain.name}`}
                onChange={(event) => setAddress(event.currentTarget.value)}
              />
            )}
            {next.record !== null && <NextRecord record={next.record} known={known} phase={next.phase} />}
          </>
        )}
      </div>
    </FoldedSection>
  );
}

const FIX_FIRST =
  'First enter the DMARC record from the list above, or accept it as it is. The next step follows then.';

function describeEnd(phase: DmarcPhase, isInherited: boolean): string {
  if (phase === 'unknown') return 'The record couldn’t be queried. Check again.';
  if (phase === 'unreadable') return 'Fix the record first: receivers can’t use it.';
  if (isInherited) return 'The record of the domain above applies. Change it there, or publish one for this domain.';
  return 'This is the last phase. Receivers refuse mail that fails DMARC.';
}

const STATES: Record<DmarcCondition['state'], { tone: Tone; label: string }> = {
  met: { tone: 'good', label: 'Met' },
  waiting: { tone: 'wait', label: 'Waiting' },
  unmet: { tone: 'bad', label: 'Not met' },
  ask: { tone: 'neutral', label: 'Ask yourself' },
};

function Conditions({ conditions }: { conditions: readonly DmarcCondition[] }) {
  const zone = useTimeZone();
  return (
    <ul className={classes.conditions} aria-label="Conditions of the next step">
      {conditions.map(({ id, sentence, state, at }) => (
        <li key={id}>
          <StatusBadge tone={STATES[state].tone}>{STATES[state].label}</StatusBadge> {sentence}
          {at !== null && <span className="soft"> On {localDate(at, zone)}, if nothing changes.</span>}
        </li>
      ))}
    </ul>
  );
}

function NextRecord({
  record,
  known: { name, host },
  phase,
}: {
  record: string;
  known: KnownDmarc;
  phase: DmarcPhase;
}) {
  const fix = { todo: '', type: 'TXT', host, name, value: record, priority: null };
  return (
    <div className={classes.record}>
      <p>
        {phase === 'monitoring' ? 'Publish this record' : 'When all of this is met, change the record to this one'}:
      </p>
      <FixFields fix={fix} which="the next DMARC record" value={null} />
    </div>
  );
}
