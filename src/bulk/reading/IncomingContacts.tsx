import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { personAddress, personName } from '../../identity/person.ts';
import { dropHandedContacts, handedContactsQuery } from '../../identity/selectedContacts.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { Notice } from '../../ui/Notice.tsx';
import { bulk } from '../bulk.ts';
import { StorageErrorNotice } from '../BulkNotices.tsx';
import type { BulkEntry, BulkState } from '../bulkState.ts';
import type { ParsedEntry } from '../../listParser/readEntries.ts';

import { dropFailedReading } from './useListReader.ts';

const SELECTED = { source: null, notes: [], column: null };

/** Contacts selected on the Contacts page. They become the list if there is none; otherwise it asks. */
export function IncomingContacts({ state }: { state: BulkState }) {
  const client = useQueryClient();
  const { data: handed } = useQuery(handedContactsQuery);
  const drop = () => dropHandedContacts(client);
  const start = useMutation({
    mutationFn: async () => bulk.startList(async () => ({ ...SELECTED, entries: toEntries(handed) })),
    onSuccess: (isPlaced) => {
      if (!isPlaced) return;
      dropFailedReading(client);
      drop();
    },
  });
  const add = useMutation({
    mutationFn: async (present: readonly BulkEntry[]) => bulk.addEntries(toEntries(handed, present)),
    onSuccess: drop,
  });
  // Not `loading`: a disabled button would lose the focus before it is removed.
  const addOnce = () => 'entries' in state && !add.isPending && add.mutate(state.entries);
  const isFree = handed.length > 0 && state.phase === 'empty';
  const begin = useEffectEvent(() => start.mutate());
  useEffect(() => {
    if (isFree) begin();
  }, [isFree]);

  if (start.isError || add.isError) return <StorageErrorNotice of={[start, add]} />;
  if (handed.length === 0 || !('entries' in state)) return null;
  const count = handed.length === 1 ? 'The contact' : `The ${formatCount(handed.length)} contacts`;
  const canAdd = state.phase === 'plan';
  return (
    <Notice
      tone="neutral"
      title={`${count} you selected`}
      actions={
        <>
          {canAdd && (
            <>
              <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={addOnce}>
                Add to this list
              </Button>
              <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={() => start.mutate()}>
                Replace this list
              </Button>
            </>
          )}
          <Button ref={refocusOnRemoval} size="xs" variant="subtle" onClick={drop}>
            Keep this list as it is
          </Button>
        </>
      }
    >
      {canAdd ? 'There is already a list.' : 'They’ll be added when the current list is finished.'}
    </Notice>
  );
}

function toEntries(contacts: readonly ReadableContact[], present: readonly BulkEntry[] = []): ParsedEntry[] {
  const start = present.length;
  const lastLine = present.at(start - 1)?.line ?? 0;
  return contacts.map((contact, index) => {
    const [name, address] = [personName(contact), personAddress(contact)];
    return {
      index: start + index,
      line: lastLine + 1 + index,
      text: address === '' || address === name ? name : `${name} <${address}>`,
      source: null,
      as: 'selected in Contacts',
      values: [contact.uuid],
      repeats: null,
      leftOut: null,
    };
  });
}
