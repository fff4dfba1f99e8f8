import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { storedStatus, type RecordStatus } from '#contract/recordStatus.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { CopyableField, OnDemand } from './CopyableField.tsx';
import type { DnsHost } from '../zone/dnsHosts.ts';
import { isDone } from './recordOrder.ts';
import classes from './DnsRecords.module.css';
import { FindingDetail } from './FindingDetail.tsx';
import { describeFinding, type LatestFinding } from '../check/liveCheck.ts';
import { createRecordFields, type RecordFields } from './recordFields.ts';
import { RECORD_STATUS_LABELS } from './recordStatus.ts';

type Props = {
  domain: ReadableDomain;
  record: ReadableDnsRecord;
  index: number;
  latest: LatestFinding | undefined;
  canCheck: boolean;
  isFetching: boolean;
  dnsHost: DnsHost | null;
};

export function RecordRow({ domain, record, index, latest, canCheck, isFetching, dnsHost }: Props) {
  const [isOpened, setOpened] = useState(false);
  const isCompact = isDone(record, latest?.finding ?? null);
  const isOpen = isOpened || !isCompact;
  const fields = createRecordFields(record, domain, latest?.finding ?? null);
  const which = `record ${index + 1}: ${escapeInvisible(`${fields.type} ${fields.name}`)}`;
  const isChecking = isFetching && (latest === undefined || latest.isEarlier);
  return (
    <tbody aria-label={`Record ${index + 1}`} aria-busy={isChecking} data-compact={!isOpen || undefined}>
      <tr>
        <td data-label="Type">
          {isCompact && (
            <button
              type="button"
              className={classes.toggle}
              aria-expanded={isOpen}
              aria-label={`Details of ${which}`}
              onClick={() => setOpened(!isOpened)}
            >
              <IconChevronRight size={14} aria-hidden />
            </button>
          )}
          <span className={classes.type}>{escapeInvisible(fields.type) || '–'}</span>
        </td>
        <RecordCells record={record} fields={fields} which={which} isOpen={isOpen} />
        {canCheck && (
          <td data-label="DNS now">
            <LiveResult finding={latest?.finding} isChecking={isChecking} />
          </td>
        )}
      </tr>
      {isOpen && (latest !== undefined || isChecking) && (
        <tr className={classes.detail}>
          <td colSpan={5}>
            {latest === undefined ? (
              <div className={classes.waiting} data-tall={record.is_valid === false || undefined} />
            ) : (
              <FindingDetail
                which={which}
                type={record.type ?? ''}
                sentences={describeFinding(record.is_valid, latest.finding)}
                finding={latest.finding}
                dnsHost={dnsHost}
              />
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

type CellsProps = { record: ReadableDnsRecord; fields: RecordFields; which: string; isOpen: boolean };

function RecordCells({ record, fields: { host, name, value, priority }, which, isOpen }: CellsProps) {
  const listed = record.name ?? '';
  return (
    <>
      <td data-label="Host">
        <CopyableField value={host ?? name} what={host === null ? 'host, full' : 'host, relative'} which={which} />
        {isOpen && host !== null && host !== name && (
          <OnDemand label="Full name" which={which}>
            <CopyableField value={name} what="host, full" which={which} />
          </OnDemand>
        )}
        {isOpen && isOtherName(listed, name) && (
          <CopyableField label="as listed" value={listed} what="host, as listed" which={which} />
        )}
      </td>
      <td data-label="Value">
        <div className={classes.value}>
          {priority !== null && (
            <CopyableField
              label={isOpen ? 'priority' : undefined}
              value={String(priority)}
              what="priority"
              which={which}
            />
          )}
          <CopyableField
            label={isOpen && priority !== null ? 'target' : undefined}
            value={value}
            what="value"
            which={which}
          />
        </div>
      </td>
      <td data-label="Last result">
        <RecordStatusBadge status={storedStatus(record.is_valid)} />
      </td>
    </>
  );
}

/** Whether the listed name is more than the beginning of the full name; a form may ask for that. */
function isOtherName(listed: string, name: string): boolean {
  const written = listed.trim().replace(/\.$/, '').toLowerCase();
  return !['', '@', name].includes(written) && !name.startsWith(`${written}.`) && listed !== name;
}

function RecordStatusBadge({ status }: { status: RecordStatus }) {
  const { tone, label } = RECORD_STATUS_LABELS[status];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}

function LiveResult({ finding, isChecking }: { finding: Finding | undefined; isChecking: boolean }) {
  if (isChecking) return <StatusBadge tone="neutral">Checking</StatusBadge>;
  if (finding === undefined) return <StatusBadge tone="neutral">Not checked</StatusBadge>;
  return <RecordStatusBadge status={finding.result} />;
}
