import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { checkDomain } from '#contract/additions.ts';
import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible } from '#contract/invisibleCharacters.ts';
import { useCapability } from '../session/useSession.ts';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { AdviceList } from './AdviceList.tsx';
import { CheckBar } from './CheckBar.tsx';
import classes from './DnsRecords.module.css';
import { CopyableField } from './CopyableField.tsx';
import { FindingDetail } from './FindingDetail.tsx';
import { findLatestFindings, liveCheckQuery, RESULT_LABELS } from './liveCheck.ts';
import { createRecordFields, type RecordFields } from './recordFields.ts';
import { RecordsExport } from './RecordsExport.tsx';
import { summarise } from './recordsSummary.ts';
import { describeVerdicts } from './checkSummary.ts';

/**
 * The records the domain needs, each with its stored verdict and, where the service can ask, with what the DNS says now;
 * `?records=broken` shows only what is stored as not valid.
 */
export function DnsRecords({ domain }: { domain: ReadableDomain }) {
  const [params, setParams] = useSearchParams();
  const canCheck = useCapability(checkDomain);
  const { data: check, isFetching } = useQuery(liveCheckQuery(domain.uuid));
  const records = domain.dns ?? [];
  const { broken } = summarise(records);
  const onlyBroken = params.get('records') === 'broken' && broken > 0;
  const found = findLatestFindings(records, check);
  const shown = records
    .map((record, index) => ({ record, index, known: found[index] }))
    .filter(({ record }) => !onlyBroken || record.is_valid === false);

  const toggle = () =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (onlyBroken) next.delete('records');
        else next.set('records', 'broken');
        return next;
      },
      { replace: true },
    );

  return (
    <section className={classes.section} aria-labelledby="dns-records">
      <div className={classes.heading}>
        <h2 id="dns-records">DNS records</h2>
        <span className={classes.count}>
          {onlyBroken ? `${shown.length} broken of ${records.length}` : records.length}
        </span>
        <span className={classes.actions}>
          {broken > 0 && (
            <Button size="xs" variant="default" aria-pressed={onlyBroken} onClick={toggle}>
              {onlyBroken ? 'Show all' : `Only the ${broken} broken`}
            </Button>
          )}
          {shown.length > 0 && (
            <RecordsExport
              domain={domain}
              listed={shown.map(({ record, known }) => ({ record, finding: known?.finding ?? null }))}
              check={check}
            />
          )}
        </span>
      </div>
      {canCheck && <CheckBar domain={domain} />}
      {shown.length === 0 ? (
        <p className={classes.none}>The service lists no DNS records for this domain.</p>
      ) : (
        <table className={classes.records} data-live={canCheck || undefined}>
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col">Host</th>
              <th scope="col">Value</th>
              <th scope="col">Stored verdict</th>
              {canCheck && <th scope="col">DNS now</th>}
            </tr>
          </thead>
          {shown.map(({ record, index, known }) => {
            const fields = createRecordFields(record, domain, known?.finding ?? null);
            const which = `record ${index + 1}: ${escapeInvisible(`${fields.type} ${fields.name}`)}`;
            const isAsking = isFetching && (known === undefined || known.isEarlier);
            return (
              // A domain may list the same record twice; only its place tells them apart.
              <tbody key={index} aria-busy={isAsking}>
                <tr>
                  <RecordCells record={record} fields={fields} which={which} />
                  {canCheck && (
                    <td data-label="DNS now">
                      <DnsNow finding={known?.finding} isAsking={isAsking} />
                    </td>
                  )}
                </tr>
                {(known !== undefined || isAsking) && (
                  <tr className={classes.detail}>
                    <td colSpan={5}>
                      {known === undefined ? (
                        <div className={classes.waiting} data-tall={record.is_valid === false || undefined} />
                      ) : (
                        <FindingDetail
                          which={which}
                          type={record.type ?? ''}
                          sentences={describeVerdicts(record.is_valid, known.finding)}
                          finding={known.finding}
                        />
                      )}
                    </td>
                  </tr>
                )}
              </tbody>
            );
          })}
        </table>
      )}
      {check !== undefined && <AdviceList check={check} />}
    </section>
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
      <td data-label="Stored verdict">
        <Verdict valid={record.is_valid} />
      </td>
    </>
  );
}

/** A name that is listed relative to the domain is only the beginning of the full one; a form may want more of it. */
function isOtherName(listed: string, name: string): boolean {
  const written = listed.trim().replace(/\.$/, '').toLowerCase();
  return !['', '@', name].includes(written) && !name.startsWith(`${written}.`) && listed !== name;
}

function Verdict({ valid }: { valid: boolean | null }) {
  if (valid === null) return <StatusBadge tone="neutral">Not sent</StatusBadge>;
  return valid ? <StatusBadge tone="good">Valid</StatusBadge> : <StatusBadge tone="bad">Not valid</StatusBadge>;
}

function DnsNow({ finding, isAsking }: { finding: Finding | undefined; isAsking: boolean }) {
  if (isAsking) return <StatusBadge tone="neutral">Asking</StatusBadge>;
  if (finding === undefined) return <StatusBadge tone="neutral">Not asked</StatusBadge>;
  const { tone, label } = RESULT_LABELS[finding.result];
  return <StatusBadge tone={tone}>{label}</StatusBadge>;
}
