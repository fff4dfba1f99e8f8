import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import {
  createSharedLink,
  listSharedLinks,
  SHARED_LINK_DAYS,
  SHARED_PAGE_PATH,
} from '#contract/domains/sharedLinks.ts';
import { listQuery, readAgain } from '../../api/apiQuery.ts';
import { baseUrl, request } from '../../api/client.ts';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useUnsavedDraft } from '../../session/unsavedDrafts.ts';
import { useCapability } from '../../session/useSession.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { CopyableField } from '../records/CopyableField.tsx';
import { addLinkToNote } from './addLinkToNote.ts';
import { LinkList } from './LinkList.tsx';
import classes from './SharedLinks.module.css';

type Props = {
  domain: ReadableDomain;
  /** What to do, in words (zone/dnsNote.ts); null if nobody has to act. */
  note: string | null;
  onCreated: () => void;
};

/** Links to a page without sign-in for the person who can change the DNS. Nothing for users who may not create one. */
export function SharedLinks(props: Props) {
  const isOffered = useCapability(createSharedLink);
  const isAllowed = useMissingRole(createSharedLink) === null;
  return isOffered && isAllowed ? <LinkSection {...props} /> : null;
}

function LinkSection({ domain, note, onCreated }: Props) {
  const client = useQueryClient();
  const links = useQuery(listQuery(listSharedLinks, { domain: domain.uuid, query: { page: 1, per_page: 25 } }));
  const create = useMutation({
    mutationFn: () => request(createSharedLink, { domain: domain.uuid }),
    // The response has the secret, so it isn't cached.
    gcTime: 0,
    onSuccess: () => {
      onCreated();
      void readAgain(client, listSharedLinks);
    },
  });
  return (
    <section className={classes.dialog} aria-labelledby="link-without-sign-in">
      <h3 id="link-without-sign-in">Link without sign-in</h3>
      <p>
        Anyone with the link sees the DNS records of <UntrustedText text={domain.name} /> and whether they’re right now,
        without signing in, for {SHARED_LINK_DAYS} days. They see nothing else of this workspace.
      </p>
      {create.error !== null && <ErrorAlert error={create.error} />}
      {create.isSuccess ? (
        <Created domain={domain} created={create.data.data} note={note} />
      ) : (
        <div className={classes.copies}>
          <Button size="xs" variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            Create a link
          </Button>
          <CopyCurl endpoint={createSharedLink} input={{ domain: domain.uuid }} />
        </div>
      )}
      {links.error !== null && <ErrorAlert error={links.error} onRetry={() => void links.refetch()} />}
      {links.data !== undefined && <LinkList domain={domain.uuid} page={links.data} />}
    </section>
  );
}

type CreatedProps = Pick<Props, 'domain' | 'note'> & { created: EndpointReading<typeof createSharedLink>['data'] };

function Created({ domain, note, created: { link, secret } }: CreatedProps) {
  useUnsavedDraft(true);
  const address = `${baseUrl()}${SHARED_PAGE_PATH}#${secret}`;
  return (
    <section className={classes.created} aria-label="The new link">
      <p>
        <strong>Copy it now.</strong> It won’t be shown again: we store only its fingerprint.
      </p>
      <CopyableField value={address} what="link" which="the DNS page" />
      <div className={classes.copies}>
        <CopyButton value={address} what="link" label="Copy the link" />
        <CopyButton
          value={addLinkToNote(note, domain.name, address, link.expires_at)}
          what="note with the link"
          label="Copy a note with the link"
        />
      </div>
    </section>
  );
}
