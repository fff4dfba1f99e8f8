import { Button } from '@mantine/core';
import { IconDownload, IconMailForward } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { usePageActions } from '../../ui/page/actions.ts';
import { download } from '../../ui/page/download.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import type { LiveCheck } from '../check/liveCheck.ts';
import type { Item } from '../records/items.ts';
import { createDnsNote } from '../zone/dnsNote.ts';
import { zoneFile } from '../zone/zoneFile.ts';
import classes from './SendNote.module.css';

type Props = { domain: ReadableDomain; items: readonly Item[]; check: LiveCheck | undefined };

/** What the person who can change the DNS needs: a note with what is wrong, and the records as a file. */
export function SendNote({ domain, items, check }: Props) {
  const [isOpen, setOpen] = useState(false);
  const records = items.flatMap(({ record, finding }) => (record === null ? [] : { record, finding }));
  const open = () => setOpen(true);
  usePageActions(records.length === 0 ? [] : [{ id: 'send-note', label: 'Send to the DNS person', run: open }]);
  if (records.length === 0) return null;
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
      {isOpen && <NoteDialog domain={domain} records={records} check={check} onClose={() => setOpen(false)} />}
    </>
  );
}

type DialogProps = {
  domain: ReadableDomain;
  records: Parameters<typeof zoneFile>[1];
  check: LiveCheck | undefined;
  onClose: () => void;
};

function NoteDialog({ domain, records, check, onClose }: DialogProps) {
  const note = createDnsNote(domain, check);
  const zone = zoneFile(domain, records);
  const save = () => download(`${domain.name}.zone`, new Blob([zone], { type: 'text/dns' }));
  return (
    <Dialog title="Send to the DNS person" onClose={onClose} closable>
      <div className={classes.note}>
        {note === null ? (
          <p>Nobody has to change anything in the DNS of this domain.</p>
        ) : (
          <>
            {/* A focused region scrolls with the keyboard. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <pre className={classes.text} tabIndex={0} role="region" aria-label="Note">
              {note}
            </pre>
            <CopyButton value={note} what="note" label="Copy note" />
          </>
        )}
      </div>
      <div className={classes.files}>
        <CopyButton value={zone} what="records as zone-file text" label="Copy as zone file" />
        <Button variant="default" size="xs" leftSection={<IconDownload size={14} />} onClick={save}>
          Save zone file
        </Button>
      </div>
    </Dialog>
  );
}
