import { useQuery } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible } from '#contract/invisibleCharacters.ts';
import { Notice } from '../ui/Notice.tsx';
import { liveCheckQuery } from './liveCheck.ts';
import { findAlarms } from './checkSummary.ts';

/** Warns when records are stored as valid, but wrong in the DNS now. Shows nothing otherwise. */
export function DnsAlarm({ domain }: { domain: ReadableDomain }) {
  const { data: check } = useQuery(liveCheckQuery(domain.uuid));
  const alarms = findAlarms(domain, check);
  if (alarms.length === 0) return null;
  const count =
    alarms.length === 1 ? 'A record that counts as valid is' : `${alarms.length} records that count as valid are`;
  return (
    <Notice tone="bad" title={`${count} wrong in the DNS now`}>
      <p>
        {domain.verified
          ? 'The domain still counts as verified. Mail from it may stop at the next check of the service.'
          : 'The service may notice at its next check.'}
      </p>
      <ul>
        {alarms.map(({ type, name }, index) => (
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
