import { useState } from 'react';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { IconChevronRight } from '@tabler/icons-react';
import { localDate } from '../../ui/format/time.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { Nothing } from '../../ui/values/Nothing.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { AcceptFault, EndAcceptance } from '../acceptance/AcceptFault.tsx';
import { describeFinding } from '../check/liveCheck.ts';
import type { DnsHost } from '../zone/dnsHosts.ts';
import { CopyableField } from './CopyableField.tsx';
import { describeCode } from './describeCode.ts';
import { FindingMore, FindingSummary, TurnChip } from './FindingDetail.tsx';
import { stateOf, type Item } from './items.ts';
import { createRecordFields, type RecordFields } from './recordFields.ts';
import classes from './RecordList.module.css';
import { RECORD_STATUS_LABELS } from './recordStatus.ts';

type Props = {
  domain: ReadableDomain;
  item: Item;
  /** Whether the list says above what was found. */
  isSaid: boolean;
  /** From 1, in the order of the domain. Advice has none. */
  number: number | null;
  dnsHost: DnsHost | null;
};

/** One line of what is right; below it, of anything else, what was found, what to enter, and why. */
export function RecordLine({ domain, item, isSaid, number, dnsHost }: Props) {
  const { title, record, finding, isWaiting } = item;
  const [isOpen, setOpen] = useState(false);
  const state = stateOf(item);
  const isShort = finding === null || isSaid || state === 'ok' || state === 'accepted';
  const fields = record === null ? null : createRecordFields(record, domain, finding);
  const which = fields === null ? title : `record ${number}: ${escapeInvisible(`${fields.type} ${fields.name}`)}`;
  return (
    <li>
      <div
        role="group"
        className={classes.item}
        aria-label={number === null ? title : `Record ${number}`}
        aria-busy={isWaiting}
        data-state={state}
        data-short={(isShort && !isOpen) || undefined}
        data-open={isOpen || undefined}
      >
        <Line
          item={item}
          isSaid={isSaid}
          fields={fields}
          which={which}
          isShort={isShort}
          isOpen={isOpen}
          toggle={() => setOpen(!isOpen)}
        />
        {finding !== null && (!isShort || isOpen) && (
          <FindingSummary
            which={which}
            type={record?.type ?? finding.fix?.type ?? 'TXT'}
            sentences={describeFinding(record?.is_valid ?? null, finding)}
            finding={finding}
          />
        )}
        {isOpen && record !== null && <AsListed record={record} which={which} />}
        {isOpen && finding !== null && (
          <>
            <FindingMore which={which} finding={finding} dnsHost={dnsHost} />
            <FaultActions domain={domain} item={item} />
          </>
        )}
      </div>
    </li>
  );
}

type LineProps = {
  item: Item;
  isSaid: boolean;
  fields: RecordFields | null;
  which: string;
  isShort: boolean;
  isOpen: boolean;
  toggle: () => void;
};

function Line({ item, isSaid, fields, which, isShort, isOpen, toggle }: LineProps) {
  const { title, finding, verdict } = item;
  // What to enter has the same fields.
  const isAccepted = stateOf(item) === 'accepted';
  const hasOwnFields = fields !== null && !isAccepted && (isShort || !finding?.fix);
  const hasCode =
    isAccepted || (isSaid && fields === null) || (!isShort && (stateOf(item) === 'fail' || !hasOwnFields));
  return (
    <div className={classes.line}>
      <span className={classes.state}>
        <ItemBadge item={item} />
      </span>
      <span className={classes.title}>{title}</span>
      {hasCode && <strong className={classes.code}>{escapeInvisible(describeCode(finding?.code ?? ''))}</strong>}
      {hasOwnFields && <Fields {...fields} which={which} isBelow={hasCode} />}
      {isShort && fields === null && !isAccepted && !isSaid && !isOpen && (
        <span className={classes.diagnosis}>{escapeInvisible(finding?.diagnosis ?? '')}</span>
      )}
      {verdict?.accepted && <Acceptance {...verdict.accepted} />}
      <span className={classes.end}>
        {!isShort && <TurnChip turn={finding?.turn ?? null} />}
        {verdict !== undefined && (verdict.before !== null || !isShort) && (
          <span className={classes.since}>
            since <DateTime value={verdict.since} />
          </span>
        )}
        {finding !== null && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={`Details of ${which}`}
            onClick={toggle}
          >
            <IconChevronRight size={14} aria-hidden />
          </button>
        )}
      </span>
    </div>
  );
}

function ItemBadge({ item }: { item: Item }) {
  const state = stateOf(item);
  if (item.isWaiting) return <StatusBadge tone="neutral">Checking</StatusBadge>;
  if (state === 'accepted') return <StatusBadge tone="neutral">Accepted</StatusBadge>;
  const { tone, label } = RECORD_STATUS_LABELS[state];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}

type FieldsProps = RecordFields & { which: string; isBelow: boolean };

function Fields({ type, host, name, value, priority, which, isBelow }: FieldsProps) {
  return (
    <span className={classes.fields} data-below={isBelow || undefined}>
      <span className={classes.type}>{escapeInvisible(type) || <Nothing words="no type" />}</span>
      <CopyableField value={host ?? name} what={host === null ? 'host, full' : 'host, relative'} which={which} />
      {priority !== null && <CopyableField value={String(priority)} what="priority" which={which} />}
      <CopyableField value={value} what="value" which={which} />
    </span>
  );
}

/** The record as it's listed, where its line shows what to enter instead, or who accepts it. */
function AsListed({ record, which }: { record: ReadableDnsRecord; which: string }) {
  const { type, name, value } = record;
  return (
    <span className={classes.fields}>
      <span className={classes.type}>Listed {escapeInvisible(type ?? '')}</span>
      <CopyableField value={name ?? ''} what="host, as listed" which={which} />
      <CopyableField value={value ?? ''} what="value, as listed" which={which} />
    </span>
  );
}

type Accepted = NonNullable<NonNullable<Item['verdict']>['accepted']>;

function Acceptance({ reason, until, actor }: Accepted) {
  return (
    <span className={classes.diagnosis}>
      by <UntrustedText text={actor.name ?? actor.kind} /> until <DateTime value={until} show={localDate} />:{' '}
      <UntrustedText text={reason} />
    </span>
  );
}

function FaultActions({ domain, item: { verdict, title } }: { domain: ReadableDomain; item: Item }) {
  if (verdict?.accepted) return <EndAcceptance acceptance={verdict.accepted} title={title} />;
  if (verdict?.result !== 'fail' && verdict?.result !== 'warn') return null;
  return <AcceptFault domain={domain} verdict={verdict} title={title} />;
}
