import type { ReadableDomain } from '#contract/domain.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './DomainStateCell.module.css';
import { describeRecordCounts } from './domainState.ts';
import { isKnownWord } from './stateWords.ts';

/** The words of the service about a domain that are none of the known ones, and in a tooltip what its state consists of. */
export function StateParts({ id, domain }: { id: string; domain: ReadableDomain }) {
  const others = [domain.status, domain.verification].filter(
    (word) => word !== null && word !== '' && !isKnownWord(word),
  );
  return (
    <>
      {[...new Set(others)].map((word) => (
        <span key={word} className={classes.word}>
          <UntrustedText text={word ?? ''} />
        </span>
      ))}
      <span id={id} role="tooltip" className={classes.parts}>
        <UntrustedText text={describeParts(domain).join('\n')} />
      </span>
    </>
  );
}

const yesNo = (value: boolean | null) => (value === null ? 'not sent' : value ? 'yes' : 'no');

function describeParts(domain: ReadableDomain): string[] {
  return [
    `Verified: ${yesNo(domain.verified)}`,
    `Status: ${domain.status ?? 'not sent'}`,
    `Verification: ${domain.verification ?? 'not sent'}`,
    `DNS records: ${describeRecordCounts(domain)}`,
    ...(domain.mail_from_domain ? [`MAIL FROM verified: ${yesNo(domain.mail_from_verified)}`] : []),
  ];
}
