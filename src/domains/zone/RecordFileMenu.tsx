import { Button, NativeSelect } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { RECORD_FILES, type RecordFileKind, writeRecordFile } from '#contract/recordFiles/recordFile.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { download } from '../../ui/page/download.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import type { Item } from '../records/items.ts';
import { listChecked } from './listChecked.ts';

type Props = { domain: ReadableDomain; items: readonly Item[] };

/** What must change, as a file in a format of the user's choice. */
export function RecordFileMenu({ domain, items }: Props) {
  const [kind, setKind] = useState<RecordFileKind>('zone');
  const text = writeRecordFile(kind, listChecked(domain, items));
  const save = () =>
    download(`${domain.name}.${RECORD_FILES[kind].extension}`, new Blob([text], { type: 'text/plain' }));
  usePageActions([{ id: 'save-record-file', label: 'Save changes as a file', run: save }]);
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Format of the changes"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as RecordFileKind)}
        data={Object.entries(RECORD_FILES).map(([value, { label }]) => ({ value, label }))}
      />
      <CopyButton value={text} what="changes" label="Copy changes" action="copy-record-file" />
      <Button variant="default" size="xs" leftSection={<IconDownload size={14} />} onClick={save}>
        Save changes
      </Button>
    </>
  );
}
