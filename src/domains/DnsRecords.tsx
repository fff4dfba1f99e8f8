import { Button } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import classes from './DnsRecords.module.css';
import { relativeHost, splitPriority, summarise, zoneFile } from './dnsRecord.ts';

/** The records the domain needs, each with its own stored verdict; `?records=broken` shows only what is not valid. */
export function DnsRecords({ domain }: { domain: ReadableDomain }) {
  const [params, setParams] = useSearchParams();
  const records = domain.dns ?? [];
  const { broken } = summarise(records);
  const onlyBroken = params.get('records') === 'broken' && broken > 0;
  const shown = onlyBroken ? records.filter((record) => record.is_valid === false) : records;

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
            <CopyButton
              value={zoneFile(domain.name, shown)}
              what="records as zone-file text"
              label="Copy as zone file"
              action="copy-zone-file"
            />
          )}
        </span>
      </div>
      {shown.length === 0 ? (
        <p className={classes.none}>The service lists no DNS records for this domain.</p>
      ) : (
        <table className={classes.records}>
          <thead>
            <tr>
              <th scope="col">Type</th>
              <th scope="col">Host</th>
              <th scope="col">Value</th>
              <th scope="col">Stored verdict</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((record, index) => (
              // A domain may list the same record twice; only its place tells them apart.
              // oxlint-disable-next-line react/no-array-index-key
              <RecordRow key={index} record={record} domain={domain.name} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function RecordRow({ record, domain }: { record: ReadableDnsRecord; domain: string }) {
  const name = record.name ?? '';
  const relative = relativeHost(name, domain);
  const { priority, value } = splitPriority(record);
  return (
    <tr>
      <td data-label="Type">
        <span className={classes.type}>{record.type ?? '–'}</span>
      </td>
      <td data-label="Host">
        <Field label="relative" value={relative} what="host, relative" />
        {relative !== name && <Field label="full" value={name} what="host, full" />}
      </td>
      <td data-label="Value">
        {priority !== null && <Field label="priority" value={priority} what="priority" />}
        <Field label={priority === null ? undefined : 'target'} value={value} what="value" />
      </td>
      <td data-label="Stored verdict">
        <Verdict valid={record.is_valid} />
      </td>
    </tr>
  );
}

/** A value one types somewhere else: whole, in monospace, with its own copy button. */
function Field({ label, value, what }: { label?: string | undefined; value: string; what: string }) {
  return (
    <div className={classes.field}>
      {label !== undefined && <span className={classes.label}>{label}</span>}
      <code className={classes.value}>{breakAtDots(value)}</code>
      <CopyButton value={value} what={what} />
    </div>
  );
}

/** A long name may break after a dot, where one would break it by hand. */
function breakAtDots(value: string): ReactNode {
  return value.split('.').map((label, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the labels of one value never change places
    <Fragment key={index}>
      {index > 0 && (
        <>
          .<wbr />
        </>
      )}
      {label}
    </Fragment>
  ));
}

function Verdict({ valid }: { valid: boolean | null }) {
  if (valid === null) return <StatusBadge tone="neutral">Not sent</StatusBadge>;
  return valid ? <StatusBadge tone="good">Valid</StatusBadge> : <StatusBadge tone="bad">Not valid</StatusBadge>;
}
