import { Button } from '@mantine/core';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReadableContact } from '#contract/contact.ts';
import { updateContact } from '#contract/interface.ts';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { useMissingRole } from '../session/useMissingRole.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import { handFocusOn } from '../ui/page/handFocusOn.ts';
import { formatJson } from '../ui/format/json.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { JsonView } from '../ui/values/JsonView.tsx';
import { clockTime, useTimeZone } from '../ui/format/time.ts';
import { readKeptDraft } from './attributes/attributeDrafts.ts';
import { EMPTY, quoteBlank } from './timeline/ChangeList.tsx';
import classes from './ContactRecord.module.css';
import { EditAttributes } from './attributes/EditAttributes.tsx';
import { Unsubscribe } from './unsubscribe/Unsubscribe.tsx';

type Props = {
  /** UUID or identity value: what the requests are addressed to. */
  contact: string;
  /** The record; without data until a response brought one. */
  query: UseQueryResult<{ data: ReadableContact }>;
  /** Whether the service can be asked for the record at all. */
  canRead: boolean;
  /** Whether it is known that there is such a contact: undefined while that is asked, false where it could not be. */
  isThere: boolean | undefined;
};

/** The contact's record and when it was read, with the forms to unsubscribe and to edit attributes. */
export function ContactRecord({ contact, query, canRead, isThere }: Props) {
  const client = useQueryClient();
  const [editing, setEditing] = useState(() => readKeptDraft(client, contact) !== null);
  const mayNotEdit = useMissingRole(updateContact);
  const edit = useRef<HTMLButtonElement>(null);
  const record = query.data?.data;
  const close = () => {
    flushSync(() => setEditing(false));
    edit.current?.focus();
  };
  usePageActions(
    editing || mayNotEdit !== null ? [] : [{ id: 'edit', label: 'Edit attributes', run: () => setEditing(true) }],
  );
  if (canRead && query.isPending)
    return <div className={classes.card} data-pending aria-busy="true" aria-label="Reading the contact" />;
  return (
    <div className={classes.card}>
      <section aria-label="Subscription" className={classes.part}>
        <Unsubscribe contact={contact} record={record} readAt={query.dataUpdatedAt} />
      </section>
      <section aria-labelledby="attributes" className={classes.part} tabIndex={-1}>
        <div className={classes.heading}>
          <h2 id="attributes">Attributes</h2>
          {!editing && mayNotEdit === null && (
            <Button ref={edit} size="xs" variant="default" onClick={() => setEditing(true)}>
              Edit
            </Button>
          )}
        </div>
        {!editing && mayNotEdit !== null && <p className="soft">Editing {mayNotEdit}</p>}
        {editing ? (
          <EditAttributes contact={contact} record={record} onClose={close} />
        ) : record === undefined ? (
          <p className="soft">
            {isThere === false && 'The record could not be read. '}
            {isThere && 'This service sends a record only in answer to a change, and none was made yet. '}
            You can set attributes without seeing the others.
          </p>
        ) : (
          <AttributeList attributes={record.attributes ?? {}} />
        )}
      </section>
      {record !== undefined && <ContactFacts record={record} query={query} canRead={canRead} />}
    </div>
  );
}

type ContactFactsProps = Pick<Props, 'query' | 'canRead'> & { record: ReadableContact };

function ContactFacts({ record, query, canRead }: ContactFactsProps) {
  const zone = useTimeZone();
  return (
    <dl className={classes.facts}>
      <Fact label="UUID">
        <UntrustedText className="mono" text={record.uuid} />{' '}
        <CopyButton value={record.uuid} what="contact UUID" action="copy-uuid" />
      </Fact>
      <Fact label="Created">
        <DateTime value={record.created_at} />
      </Fact>
      <Fact label="Updated">
        <DateTime value={record.updated_at} />
      </Fact>
      {record.provider !== null && record.provider !== '' && (
        <Fact label="Mailbox">
          <UntrustedText text={record.provider} />
        </Fact>
      )}
      <Fact label="Record">
        {canRead ? <LastUpdated query={query} what="the record" /> : `As of ${clockTime(query.dataUpdatedAt, zone)}`}
      </Fact>
    </dl>
  );
}

/** So many attributes are shown at first; more would push the events out of reach. */
const FIRST = 10;
/** In characters. A longer value is folded. */
const LONG = 1000;

function AttributeList({ attributes }: { attributes: Record<string, unknown> }) {
  const entries = Object.entries(attributes);
  const [isFolded, setFolded] = useState(true);
  const hasMore = isFolded && entries.length > FIRST;
  if (entries.length === 0) return <p className="soft">This contact has no attributes.</p>;
  return (
    <>
      <dl className={classes.attributes} data-folded={hasMore || undefined}>
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt>
              <UntrustedText text={key} />
            </dt>
            <dd>
              <AttributeValue value={value} />
              {typeof value === 'string' && value !== '' && <CopyButton value={value} what={key} />}
            </dd>
          </div>
        ))}
      </dl>
      {hasMore && (
        <Button ref={handFocusOn} size="xs" variant="default" onClick={() => setFolded(false)}>
          Show all {formatCount(entries.length)} attributes
        </Button>
      )}
    </>
  );
}

function AttributeValue({ value }: { value: unknown }) {
  // Folded where it is long.
  if (typeof value !== 'string') return <JsonView value={value} depth={formatJson(value, 0).length > LONG ? 3 : 0} />;
  if (value === '') return <em className="soft">{EMPTY}</em>;
  const text = <UntrustedText className={classes.text} text={quoteBlank(value)} />;
  if (value.length <= LONG) return text;
  return (
    <details>
      <summary>{formatCount(value.length)} characters</summary>
      {text}
    </details>
  );
}
