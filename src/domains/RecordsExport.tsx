import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReadableDomain } from '#contract/domain.ts';
import { usePageActions } from '../ui/actions.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { download } from '../ui/download.ts';
import type { LiveCheck } from './liveCheck.ts';
import { createDnsNote } from './dnsNote.ts';
import { zoneFile, type RecordWithFinding } from './zoneFile.ts';

type Props = { domain: ReadableDomain; listed: readonly RecordWithFinding[]; check: LiveCheck | undefined };

/** Copies a note about the broken records, and copies or saves the records as a zone file. */
export function RecordsExport({ domain, listed, check }: Props) {
  const note = createDnsNote(domain, check);
  const zone = zoneFile(domain, listed);
  const save = () => download(`${domain.name}.zone`, new Blob([zone], { type: 'text/dns' }));
  usePageActions([{ id: 'save-zone-file', label: 'Save zone file', run: save }]);
  return (
    <>
      {note !== null && <CopyButton value={note} what="note" label="Copy note" action="copy-note" />}
      <CopyButton value={zone} what="records as zone-file text" label="Copy as zone file" action="copy-zone-file" />
      <Button variant="default" size="xs" leftSection={<IconDownload size={14} />} onClick={save}>
        Save zone file
      </Button>
    </>
  );
}
