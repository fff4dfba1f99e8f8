import { Button } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormButtons } from '../../ui/Form.tsx';
import { usePageActions } from '../../ui/page/actions.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import type { LiveCheck } from '../check/liveCheck.ts';
import type { Item } from '../records/items.ts';
import { SharedLinks } from '../share/SharedLinks.tsx';
import { createDnsNote } from '../zone/dnsNote.ts';
import { RecordFileMenu } from '../zone/RecordFileMenu.tsx';
import classes from './SendNote.module.css';

type Props = { domain: ReadableDomain; items: readonly Item[]; check: LiveCheck | undefined };

/** What the person who can change the DNS needs: a note with what is wrong, and the records as a file. */
export function SendNote({ domain, items, check }: Props) {
  const [isOpen, setOpen] = useState(false);
  const hasRecords = items.some(({ record }) => record !== null);
  const open = () => setOpen(true);
  usePageActions(!hasRecords ? [] : [{ id: 'send-note', label: 'Send to the DNS person', run: open }]);
  if (!hasRecords) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconMailForward size={14} />}
        aria-haspopup="dialog"
        onClick={open}
      >
        Send to the DNS person
      </Button>
      {isOpen && <NoteDialog domain={domain} items={items} check={check} onClose={() => setOpen(false)} />}
    </>
  );
}

function NoteDialog({ domain, items, check, onClose }: Props & { onClose: () => void }) {
  const note = createDnsNote(domain, items, check);
  // A new link is shown once, so it takes a decision to leave it.
  const [isCreated, setCreated] = useState(false);
  return (
    <Dialog title="Send to the DNS person" {...(!isCreated && { onClose, closable: true })}>
      <div className={classes.note}>
        {note === null ? (
          <p>Nobody has to change anything in the DNS of this domain.</p>
        ) : (
          <>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls with the keyboard */}
            <pre className={classes.text} tabIndex={0} role="region" aria-label="Note">
              {note}
            </pre>
            <CopyButton value={note} what="note" label="Copy note" />
          </>
        )}
      </div>
      <div className={classes.files}>
        <h3>Changes as a file</h3>
        <RecordFileMenu domain={domain} items={items} />
      </div>
      <SharedLinks domain={domain} note={note} onCreated={() => setCreated(true)} />
      {isCreated && (
        <FormButtons>
          <Button size="xs" onClick={onClose}>
            Done
          </Button>
        </FormButtons>
      )}
    </Dialog>
  );
}
