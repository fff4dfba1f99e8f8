import { Button } from '@mantine/core';
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ReadableContact } from '#contract/contact.ts';
import { updateContact } from '#contract/interface.ts';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { useMissingRole } from '../session/useMissingRole.ts';
import { clockTime, useTimeZone } from '../ui/format/time.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { KeyHint } from '../ui/KeyHint.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { readKeptDraft } from './attributes/attributeDrafts.ts';
import { AttributeList, findEditButton, readFocusedAttribute } from './attributes/AttributeList.tsx';
import { EditAttribute } from './attributes/EditAttribute.tsx';
import { EditAttributes } from './attributes/EditAttributes.tsx';
import classes from './ContactRecord.module.css';
import { readContactAgain } from './queries.ts';

/** All attributes, or one. */
type Editing = 'all' | { key: string } | null;

type Props = {
  contact: string;
  query: UseQueryResult<{ data: ReadableContact }>;
  canRead: boolean;
  /** Undefined while that's checked, false if it couldn't be. */
  exists: boolean | undefined;
};

export function ContactRecord({ contact, query, canRead, exists }: Props) {
  const client = useQueryClient();
  const [editing, setEditing] = useState<Editing>(() => (readKeptDraft(client, contact) === null ? null : 'all'));
  const editDeniedReason = useMissingRole(updateContact);
  const edit = useRef<HTMLButtonElement>(null);
  const record = query.data?.data;
  const canEdit = editing === null && editDeniedReason === null;
  const close = () => {
    const key = editing === null || editing === 'all' ? null : editing.key;
    flushSync(() => setEditing(null));
    (findEditButton(key) ?? edit.current)?.focus();
  };
  usePageActions(
    canEdit ? [{ id: 'edit', label: 'Edit attributes', run: () => setEditing(readFocusedAttribute() ?? 'all') }] : [],
  );
  return (
    <div className={classes.card}>
      <section aria-labelledby="attributes" className={classes.part} tabIndex={-1}>
        <div className={classes.heading}>
          <h2 id="attributes">Attributes</h2>
          {canEdit && (
            <Button
              ref={edit}
              size="xs"
              variant="default"
              aria-keyshortcuts="e"
              rightSection={<KeyHint shortcut="e" />}
              onClick={() => setEditing('all')}
            >
              Edit all
            </Button>
          )}
        </div>
        {editDeniedReason !== null && editing === null && <p className="soft">Editing {editDeniedReason}</p>}
        {editing === 'all' ? (
          <EditAttributes contact={contact} record={record} onClose={close} />
        ) : record === undefined ? (
          <p className="soft">
            {exists === false && 'The record couldn’t be read. '}
            {exists && 'This service sends a record only after a change, and none was made yet. '}
            You can set attributes without seeing the others.
          </p>
        ) : (
          <AttributeList
            attributes={record.attributes ?? {}}
            onEdit={canEdit ? (key) => setEditing({ key }) : null}
            editing={editing?.key}
            editor={editing && <EditAttribute {...{ contact, record }} attribute={editing.key} onClose={close} />}
          />
        )}
      </section>
      {record !== undefined && <ContactFacts record={record} query={query} canRead={canRead} />}
    </div>
  );
}

type ContactFactsProps = Pick<Props, 'query' | 'canRead'> & { record: ReadableContact };

function ContactFacts({ record, query, canRead }: ContactFactsProps) {
  const zone = useTimeZone();
  const client = useQueryClient();
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
      {/* Not at the title: the undo of an unsubscribe is one step back from what it changed. */}
      <Fact label="Read">
        {canRead ? (
          <LastUpdated query={{ ...query, refetch: () => readContactAgain(client) }} />
        ) : (
          `As of ${clockTime(query.dataUpdatedAt, zone)}`
        )}
      </Fact>
    </dl>
  );
}
