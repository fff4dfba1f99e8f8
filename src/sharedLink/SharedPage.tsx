import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RESPONSIBLE_PARTY_LABELS } from '#contract/domains/responsibleParty.ts';
import type { SharedDomain } from '#contract/domains/sharedLinks.ts';
import { works } from '#contract/domains/recordStatus.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { isNotFound } from '../api/ApiError.ts';
import { Notice } from '../ui/Notice.tsx';
import { localDate, parseTime, useTimeZone } from '../ui/format/time.ts';
import { DateTime } from '../ui/values/DateTime.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { areAllRight, type SharedCheck, sharedCheckQuery, sharedDomainQuery } from './queries.ts';
import { SharedRecord } from './SharedRecord.tsx';
import classes from './SharedPage.module.css';

export function LinkIncomplete() {
  return (
    <main className={classes.page}>
      <Notice tone="neutral" title="This link isn’t complete">
        Open the whole link that you were sent, with the part after “#”.
      </Notice>
    </main>
  );
}

function LinkIsOver() {
  return (
    <main className={classes.page}>
      <Notice tone="neutral" title="This link has expired or was revoked">
        Ask the person who sent it for a new one.
      </Notice>
    </main>
  );
}

export function SharedPage() {
  const domain = useQuery(sharedDomainQuery);
  const check = useQuery({ ...sharedCheckQuery, enabled: domain.isSuccess });
  const name = domain.data?.data.name;
  useEffect(() => {
    if (name !== undefined) document.title = `DNS records of ${escapeHidden(name)}`;
  }, [name]);
  if (isNotFound(domain.error) || isNotFound(check.error)) {
    return <LinkIsOver />;
  }
  if (domain.isError) {
    return (
      <main className={classes.page}>
        <Notice
          tone="bad"
          title="The records can’t be loaded"
          actions={
            <Button size="xs" variant="default" onClick={() => void domain.refetch()}>
              Try again
            </Button>
          }
        >
          The service didn’t respond as expected. Is this computer online?
        </Notice>
      </main>
    );
  }
  if (domain.data === undefined) return <main className={classes.page} aria-busy aria-label="Loading the records" />;
  const { data: found, isFetching, isError, refetch } = check;
  return (
    <Records
      domain={domain.data.data}
      check={found}
      isFetching={isFetching}
      hasFailed={isError}
      onCheck={() => void refetch()}
    />
  );
}

type Props = {
  domain: SharedDomain;
  check: SharedCheck | undefined;
  isFetching: boolean;
  hasFailed: boolean;
  onCheck: () => void;
};

function Records({ domain, check, isFetching, hasFailed, onCheck }: Props) {
  const zone = useTimeZone();
  const end = parseTime(domain.expires_at);
  // After the first check there may be other records than when the page was opened.
  const records = check?.checkedAt ? check.lines.map(({ record }) => record) : domain.records;
  return (
    <main className={classes.page}>
      <h1>
        DNS records of <UntrustedText text={domain.name} />
      </h1>
      {!(check && areAllRight(check)) && (
        <p className="soft">
          Enter at your DNS host what a record below asks for. This page checks the DNS every 20 seconds while you look
          at it.
        </p>
      )}
      <Progress check={check} isFetching={isFetching} hasFailed={hasFailed} onCheck={onCheck} />
      {records.length === 0 && <p>No records are needed for this domain.</p>}
      <ul className={classes.records}>
        {records.map((record, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a domain may list the same record twice
          <li key={index} className="card">
            <SharedRecord record={record} finding={check?.lines.find((line) => line.index === index)?.finding} />
          </li>
        ))}
      </ul>
      {end !== null && <p className="note">This link works until {localDate(end, zone)}.</p>}
    </main>
  );
}

type ProgressProps = Omit<Props, 'domain'>;

function Progress({ check, isFetching, hasFailed, onCheck }: ProgressProps) {
  if (check?.checkedAt && areAllRight(check)) {
    return (
      <Notice
        tone="good"
        title={check.lines.length === 1 ? 'The record is right' : `All ${check.lines.length} records are right`}
        actions={
          <Button size="xs" variant="default" loading={isFetching} onClick={onCheck}>
            Check again
          </Button>
        }
      >
        You’re done, and can close this page. Checked at <DateTime value={check.checkedAt} show="moment" />.
      </Notice>
    );
  }
  return (
    <div className={classes.progress}>
      <p role="status">{describeProgress(check)}</p>
      <p className="note">
        {hasFailed && !isFetching && 'The last check didn’t get through. The next one follows by itself. '}
        {check?.checkedAt && (
          <>
            {isFetching ? 'Checking again. Last checked at ' : 'Checked at '}
            <DateTime value={check.checkedAt} show="moment" />.
          </>
        )}
      </p>
    </div>
  );
}

/** "2 of 5 records are right. 2 need you, 1 needs the mail provider." */
function describeProgress(check: SharedCheck | undefined): string {
  if (!check?.checkedAt) return 'The records are being checked.';
  const { lines } = check;
  const right = lines.filter(({ finding }) => works(finding.result)).length;
  const own = lines.filter(({ finding }) => !works(finding.result) && finding.turn === 'owner').length;
  const others = new Set(
    lines.flatMap(({ finding: { result, turn } }) =>
      works(result) || turn === null || turn === 'owner' ? [] : RESPONSIBLE_PARTY_LABELS[turn],
    ),
  );
  return [
    `${right} of ${lines.length} ${lines.length === 1 ? 'record' : 'records'} ${right === 1 ? 'is' : 'are'} right.`,
    own > 0 && `${own} ${own === 1 ? 'needs' : 'need'} a change in the DNS records.`,
    others.size > 0 && `Also has to act: ${[...others].join('; ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
