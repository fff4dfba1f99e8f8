import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { listSharedLinks, revokeSharedLink, type ReadableSharedLink } from '#contract/domains/sharedLinks.ts';
import { isNotFound } from '../../api/ApiError.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { localDate, parseTime, useTimeZone } from '../../ui/format/time.ts';
import { announce } from '../../ui/page/announce.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from './SharedLinks.module.css';

type Props = { domain: string; page: EndpointReading<typeof listSharedLinks> };

export function LinkList({ domain, page: { data, meta } }: Props) {
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="shared-links" className={classes.links}>
      <h3 id="shared-links">
        {meta.total > data.length ? `The newest ${data.length} of ${meta.total} links` : 'Links'}
      </h3>
      <ul>
        {data.map((link) => (
          <li key={link.uuid}>
            <LinkRow domain={domain} link={link} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LinkRow({ domain, link }: { domain: string; link: ReadableSharedLink }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: async () => {
      try {
        await request(revokeSharedLink, { domain, link: link.uuid });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess: () => {
      announce('Link revoked');
      void readAgain(client, listSharedLinks);
    },
  });
  const isOver = link.revoked_at !== null || isExpired(link);
  return (
    <>
      <div className={classes.link}>
        <LinkState link={link} />
        <p>
          Created <DateTime value={link.created_at} />
          {link.created_by !== null && (
            <>
              {' by '}
              <UntrustedText text={link.created_by} />
            </>
          )}
          {link.opened_at === null ? (
            ', not opened yet'
          ) : (
            <>
              , first opened <DateTime value={link.opened_at} />
            </>
          )}
        </p>
        {!isOver && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            loading={revoke.isPending}
            aria-label={`Revoke the link created at ${link.created_at ?? 'an unknown time'}`}
            onClick={() => revoke.mutate()}
          >
            Revoke
          </Button>
        )}
      </div>
      {revoke.error !== null && <ErrorAlert error={revoke.error} />}
    </>
  );
}

function isExpired({ expires_at }: ReadableSharedLink): boolean {
  const end = parseTime(expires_at);
  return end !== null && end.getTime() <= Date.now();
}

function LinkState({ link }: { link: ReadableSharedLink }) {
  const zone = useTimeZone();
  if (link.revoked_at !== null) return <StatusBadge tone="neutral">Revoked</StatusBadge>;
  if (isExpired(link)) return <StatusBadge tone="neutral">Expired</StatusBadge>;
  const end = parseTime(link.expires_at);
  return <StatusBadge tone="good">{end === null ? 'Works' : `Works until ${localDate(end, zone)}`}</StatusBadge>;
}
