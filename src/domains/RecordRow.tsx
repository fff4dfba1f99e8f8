import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible } from '#contract/invisibleCharacters.ts';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { describeVerdicts } from './checkSummary.ts';
import { CopyableField } from './CopyableField.tsx';
import classes from './DnsRecords.module.css';
import { FindingDetail } from './FindingDetail.tsx';
import { RESULT_LABELS, type LatestFinding } from './liveCheck.ts';
import { createRecordFields, type RecordFields } from './recordFields.ts';

type Props = {
  domain: ReadableDomain;
  record: ReadableDnsRecord;
  /** Place among all records of the domain, from 0. */
  index: number;
  latest: LatestFinding | undefined;
  canCheck: boolean;
  isFetching: boolean;
};

/** A record with its stored verdict and its live result; below, what the check has found. */
export function RecordRow({ domain, record, index, latest, canCheck, isFetching }: Props) {
  const fields = createRecordFields(record, domain, latest?.finding ?? null);
  const which = `record ${index + 1}: ${escapeInvisible(`${fields.type} ${fields.name}`)}`;
  const isChecking = isFetching && (latest === undefined || latest.isEarlier);
  return (
    <tbody aria-busy={isChecking}>
      <tr>
        <RecordCells record={record} fields={fields} which={which} />
        {canCheck && (
          <td data-label="DNS now">
            <LiveResult finding={latest?.finding} isChecking={isChecking} />
          </td>
        )}
      </tr>
      {(latest !== undefined || isChecking) && (
        <tr className={classes.detail}>
          <td colSpan={5}>
            {latest === undefined ? (
              <div className={classes.waiting} data-tall={record.is_valid === false || undefined} />
            ) : (
              <FindingDetail
                which={which}
                type={record.type ?? ''}
                sentences={describeVerdicts(record.is_valid, latest.finding)}
                finding={latest.finding}
              />
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

type CellsProps = { record: ReadableDnsRecord; fields: RecordFields; which: string };

function RecordCells({ record, fields: { type, host, name, value, priority }, which }: CellsProps) {
  const listed = record.name ?? '';
  return (
    <>
      <td data-label="Type">
        <span className={classes.type}>{escapeInvisible(type) || '–'}</span>
      </td>
      <td data-label="Host">
        {host !== null && <CopyableField label="relative" value={host} what="host, relative" which={which} />}
        <CopyableField label="full" value={name} what="host, full" which={which} />
        {isOtherName(listed, name) && (
          <CopyableField label="as listed" value={listed} what="host, as listed" which={which} />
        )}
      </td>
      <td data-label="Value">
        {priority !== null && <CopyableField label="priority" value={String(priority)} what="priority" which={which} />}
        <CopyableField label={priority === null ? undefined : 'target'} value={value} what="value" which={which} />
      </td>
      <td data-label="Last result">
        <StoredVerdict isValid={record.is_valid} />
      </td>
    </>
  );
}

/** Whether the listed name is more than the beginning of the full name; a form may ask for it as it is listed. */
function isOtherName(listed: string, name: string): boolean {
  const written = listed.trim().replace(/\.$/, '').toLowerCase();
  return !['', '@', name].includes(written) && !name.startsWith(`${written}.`) && listed !== name;
}

function StoredVerdict({ isValid }: { isValid: boolean | null }) {
  if (isValid === null) return <StatusBadge tone="neutral">Not sent</StatusBadge>;
  return isValid ? <StatusBadge tone="good">Valid</StatusBadge> : <StatusBadge tone="bad">Not valid</StatusBadge>;
}

function LiveResult({ finding, isChecking }: { finding: Finding | undefined; isChecking: boolean }) {
  if (isChecking) return <StatusBadge tone="neutral">Checking</StatusBadge>;
  if (finding === undefined) return <StatusBadge tone="neutral">Not checked</StatusBadge>;
  const { tone, label } = RESULT_LABELS[finding.result];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}
