import type { Evidence, Finding } from '#contract/dnsCheck.ts';
import { escapeInvisible } from '#contract/invisibleCharacters.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { DateTime } from '../ui/DateTime.tsx';
import classes from './EvidenceList.module.css';
import { LongText } from './LongText.tsx';

/** The DNS responses that a finding is based on, folded, and the `dig` command that repeats the query. */
export function EvidenceList({ finding: { evidence, dig }, which }: { finding: Finding; which: string }) {
  if (evidence.length === 0 && dig === '') return null;
  return (
    <details className={classes.evidence}>
      <summary>Evidence: {evidence.length === 1 ? 'one answer' : `${evidence.length} answers`}</summary>
      <ul>
        {evidence.map((one, index) => (
          // Two responses may be equal: only their place tells them apart.
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
        // oxlint-disable-next-line react/no-array-index-key -- an answer never changes
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
