import { Button } from '@mantine/core';
import { useRef } from 'react';
import { PROVIDERS } from '#contract/importFiles/fileKind.ts';
import { IMPORT_ROWS_MAX } from '#contract/imports.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { useFileDrop } from '../ui/page/useFileDrop.ts';
import classes from './Import.module.css';
import { PROVIDER_NAMES } from './readExport.ts';

export function FileChoice({ onChoose }: { onChoose: (file: File) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const { isOver, ...dropHandlers } = useFileDrop(onChoose);
  const names = PROVIDERS.map((provider) => PROVIDER_NAMES[provider]);
  return (
    <section
      className={`${classes.part} ${classes.drop}`}
      aria-label="File"
      data-over={isOver || undefined}
      {...dropHandlers}
    >
      <p>
        Drop an export here: contacts or suppressions of {names.slice(0, -1).join(', ')} or {names.at(-1)}, or any CSV
        with an email column.
      </p>
      <Button onClick={() => chooser.current?.click()}>Choose a file</Button>
      <p className="note">
        CSV or JSON, up to {formatCount(IMPORT_ROWS_MAX)} lines. Nothing is written before you confirm. An import never
        subscribes anyone who is unsubscribed.
      </p>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="Export file"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/*,application/json"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) onChoose(file);
          event.currentTarget.value = '';
        }}
      />
    </section>
  );
}
