import { useQuery } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible } from '#contract/invisibleCharacters.ts';
import { Notice } from '../ui/Notice.tsx';
import { liveCheckQuery } from './liveCheck.ts';
import { findAlarms } from './checkSummary.ts';

/** Says at once that the DNS has lost what the service still counts on. */
export function DnsAlarm({ domain }: { domain: ReadableDomain }) {
  const { data: check } = useQuery(liveCheckQuery(domain.uuid));
  const lost = findAlarms(domain, check);
  if (lost.length === 0) return null;
  const count =
    lost.length === 1 ? 'A record that counts as valid is' : `${lost.length} records that count as valid are`;
  return (
    <Notice tone="bad" title={`${count} wrong in the DNS now`}>
      <p>
        {domain.verified
          ? 'The domain still counts as verified. Mail from it may stop at the next check of the service.'
          : 'The service may notice at its next check.'}
      </p>
      <ul>
        {lost.map(({ type, name }, index) => (
          // A domain may list the same record twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            {escapeInvisible(type ?? '')} <code>{escapeInvisible(name ?? '')}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
