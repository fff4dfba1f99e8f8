import type { Evidence, Finding } from '#contract/domains/dnsCheck.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { describeConfirmation } from './describeConfirmation.ts';
import { LongText } from './LongText.tsx';
import classes from './EvidenceList.module.css';

type Props = { finding: Pick<Finding, 'evidence' | 'dig' | 'confirmed_by'>; which: string };

export function EvidenceList({ finding: { evidence, dig, confirmed_by }, which }: Props) {
  const confirmation = confirmed_by && describeConfirmation(confirmed_by);
  return (
    <div className={classes.evidence}>
      <p className={classes.label}>Evidence{confirmation !== null && `, confirmed by ${confirmation}`}</p>
      <ul>
        {evidence.map((one, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a finding never changes
          <li key={index}>
            <EvidenceItem evidence={one} />
          </li>
        ))}
      </ul>
      {dig !== '' && (
        <p>
          <code>{escapeInvisible(dig)}</code> <CopyButton value={dig} what="dig command" which={which} />
        </p>
      )}
    </div>
  );
}

function EvidenceItem({ evidence: { server, address, at, answer, records } }: { evidence: Evidence }) {
  return (
    <>
      <p className="soft">
        {server === null
          ? `Resolver ${escapeInvisible(address)}`
          : `${escapeInvisible(server)} (${escapeInvisible(address)})`}
        , <DateTime value={at} show="moment" />: {escapeInvisible(answer)}
        {records.length === 0 && ', no record'}
      </p>
      {records.map(({ name, type, value, ttl }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a response never changes
        <p key={index}>
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
