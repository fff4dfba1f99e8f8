import { Button } from '@mantine/core';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReadableContact } from '#contract/contact.ts';
import { updateContact } from '#contract/interface.ts';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { useMissingRole } from '../session/useMissingRole.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { formatJson } from '../ui/format/json.ts';
import { clockTime, useTimeZone } from '../ui/format/time.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { refocusOnRemoval } from '../ui/page/refocusOnRemoval.ts';
import { KeyHint } from '../ui/KeyHint.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { JsonView } from '../ui/values/JsonView.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { readKeptDraft } from './attributes/attributeDrafts.ts';
import { EditAttributes } from './attributes/EditAttributes.tsx';
import classes from './ContactRecord.module.css';
import { EMPTY, LongText, quoteBlank } from './timeline/ChangeList.tsx';

type Props = {
  contact: string;
  query: UseQueryResult<{ data: ReadableContact }>;
  canRead: boolean;
  /** Undefined while that's checked, false if it couldn't be. */
  exists: boolean | undefined;
};

export function ContactRecord({ contact, query, canRead, exists }: Props) {
  const client = useQueryClient();
  const [editing, setEditing] = useState(() => readKeptDraft(client, contact) !== null);
  const editDeniedReason = useMissingRole(updateContact);
  const edit = useRef<HTMLButtonElement>(null);
  const record = query.data?.data;
  const close = () => {
    flushSync(() => setEditing(false));
    edit.current?.focus();
  };
  usePageActions(
    editing || editDeniedReason !== null ? [] : [{ id: 'edit', label: 'Edit attributes', run: () => setEditing(true) }],
  );
  if (canRead && query.isPending)
    return <div className={classes.card} data-pending aria-busy="true" aria-label="Loading contact" />;
  return (
    <div className={classes.card}>
      <section aria-labelledby="attributes" className={classes.part} tabIndex={-1}>
        <div className={classes.heading}>
          <h2 id="attributes">Attributes</h2>
          {!editing && editDeniedReason === null && (
            <Button
              ref={edit}
              size="xs"
              variant="default"
              aria-keyshortcuts="e"
              rightSection={<KeyHint shortcut="e" />}
              onClick={() => setEditing(true)}
            >
              Edit
            </Button>
          )}
        </div>
        {!editing && editDeniedReason !== null && <p className="soft">Editing {editDeniedReason}</p>}
        {editing ? (
          <EditAttributes contact={contact} record={record} onClose={close} />
        ) : record === undefined ? (
          <p className="soft">
            {exists === false && 'The record couldn’t be read. '}
            {exists && 'This service sends a record only after a change, and none was made yet. '}
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

const FIRST = 10;
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
        <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={() => setFolded(false)}>
          Show all {formatCount(entries.length)} attributes
        </Button>
      )}
    </>
  );
}

function AttributeValue({ value }: { value: unknown }) {
  if (typeof value !== 'string') return <JsonView value={value} depth={formatJson(value, 0).length > LONG ? 3 : 0} />;
  if (value === '') return <em className="soft">{EMPTY}</em>;
  return <LongText className={classes.text} text={quoteBlank(value)} max={LONG} />;
}
