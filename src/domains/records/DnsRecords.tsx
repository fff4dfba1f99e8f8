import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { checkDomain } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { useCapability } from '../../session/useSession.ts';
import { Section, SectionActions } from '../../ui/Section.tsx';
import { choiceParam, useUrlState } from '../../url/urlState.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { CheckBar } from '../check/CheckBar.tsx';
import classes from './DnsRecords.module.css';
import { findLatestFindings, liveCheckQuery, type LatestFinding, type LiveCheck } from '../check/liveCheck.ts';
import { recognizeDnsHost } from '../zone/recognizeDnsHost.ts';
import { rankRecord } from './recordOrder.ts';
import { RecordRow } from './RecordRow.tsx';
import { countFailed } from '../domainState.ts';
import { createDnsNote } from '../zone/dnsNote.ts';
import { RecordFileMenu } from '../zone/RecordFileMenu.tsx';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import details from './FindingDetail.module.css';
import { FindingDetail } from './FindingDetail.tsx';
import { RECORD_STATUS_LABELS } from './recordStatus.ts';

const PARAMS = { records: choiceParam(['all', 'failed']) };

/** Worst first. `?records=failed` shows only those that failed at the last check. */
export function DnsRecords({ domain }: { domain: ReadableDomain }) {
  const records = domain.dns ?? [];
  const failed = countFailed(domain);
  const [{ records: which }, change] = useUrlState(PARAMS);
  const onlyFailed = which === 'failed' && failed > 0;
  const toggle = () => change({ records: onlyFailed ? 'all' : 'failed' }, { replace: true });
  const canCheck = useCapability(checkDomain);
  const { data: check, isFetching } = useQuery(liveCheckQuery(domain.uuid));
  const findings = findLatestFindings(records, check);
  const rows = records.map((record, index) => ({ record, index, latest: findings[index] }));
  const order = useOrder(rows, isFetching);
  const listed = rows.filter(({ record }) => !onlyFailed || record.is_valid === false);
  const shown = listed.toSorted((one, other) => order.indexOf(one.index) - order.indexOf(other.index));
  const found = findings.flatMap((one) => one?.finding ?? []);

  return (
    <Section
      id="dns-records"
      title="DNS records"
      rightSection={
        <>
          <span className={classes.count}>
            {onlyFailed ? `${shown.length} failed of ${records.length}` : records.length}
          </span>
          <SectionActions>
            {failed > 0 && (
              <Button size="xs" variant="default" aria-pressed={onlyFailed} onClick={toggle}>
                {onlyFailed ? 'Show all' : `Only the ${failed} failed`}
              </Button>
            )}
            {shown.length > 0 && <RecordsExport domain={domain} check={check} />}
          </SectionActions>
        </>
      }
    >
      {canCheck && <CheckBar domain={domain} />}
      {shown.length === 0 ? (
        <p className={classes.none}>The service lists no DNS records for this domain.</p>
      ) : (
        <table className={classes.records} data-live={canCheck || undefined}>
          <RecordsHead canCheck={canCheck} />
          {shown.map((row) => (
            // A domain may list the same record twice.
            <RecordRow
              key={row.index}
              domain={domain}
              canCheck={canCheck}
              isFetching={isFetching}
              dnsHost={recognizeDnsHost(found, row.latest?.finding.zone ?? null)}
              {...row}
            />
          ))}
        </table>
      )}
      {check !== undefined && <AdviceList check={check} />}
    </Section>
  );
}

type Row = { record: ReadableDnsRecord; index: number; latest: LatestFinding | undefined };

/** The places of the records, the worst first. They don't change during a check. */
function useOrder(rows: readonly Row[], isFetching: boolean): readonly number[] {
  const rank = ({ record, latest }: Row) => rankRecord(record, latest?.finding ?? null);
  const current = rows.toSorted((one, other) => rank(one) - rank(other)).map(({ index }) => index);
  const [order, setOrder] = useState(current);
  if ((!isFetching || order.length !== current.length) && order.join() !== current.join()) setOrder(current);
  return order;
}

function RecordsHead({ canCheck }: { canCheck: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">Type</th>
        <th scope="col">Host</th>
        <th scope="col">Value</th>
        <th scope="col">Last result</th>
        {canCheck && <th scope="col">DNS now</th>}
      </tr>
    </thead>
  );
}

/** The note and the changes are about all records, also while the table shows only the failed ones. */
function RecordsExport({ domain, check }: { domain: ReadableDomain; check: LiveCheck | undefined }) {
  const note = createDnsNote(domain, check);
  return (
    <>
      {note !== null && <CopyButton value={note} what="note" label="Copy note" action="copy-note" />}
      <RecordFileMenu domain={domain} check={check} />
    </>
  );
}

/** Titles by the `about` of the advice, in their order. */
const ADVICE_TITLES = new Map([
  ['delegation', 'Delegation of the domain'],
  ['dmarc', 'DMARC'],
  ['alignment', 'Alignment of From, MAIL FROM and DKIM'],
  ['from_soa', 'SOA of the domain'],
  ['from_host', 'MX or address of the domain'],
  ['mail_from_soa', 'SOA of the MAIL FROM name'],
  ['mail_from_mx', 'MX at the MAIL FROM name'],
  ['mail_from_spf', 'SPF at the MAIL FROM name'],
]);

const ORDER = [...ADVICE_TITLES.keys()];

/** Advice about the domain's mail beyond its records. During a check, the earlier advice stays until the first new one. */
function AdviceList({ check: { lines, earlierLines, completion } }: { check: LiveCheck }) {
  const shown = completion === null && !lines.some(({ kind }) => kind === 'advice') ? earlierLines : lines;
  const advice = shown
    .filter((one) => one.kind === 'advice')
    .toSorted((one, other) => ORDER.indexOf(one.about) - ORDER.indexOf(other.about));
  if (advice.length === 0) return null;
  return (
    <section className={details.advice} aria-labelledby="dns-advice">
      <h3 id="dns-advice">Advice</h3>
      <p className="soft">What isn't listed, but matters to the domain's mail.</p>
      <ul className="card">
        {advice.map(({ about, finding }, index) => {
          const title = ADVICE_TITLES.get(about) ?? escapeInvisible(about);
          const { tone, label } = RECORD_STATUS_LABELS[finding.result];
          return (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <div className={details.head}>
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
