import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type ClipboardEvent, type DragEvent, type FormEvent } from 'react';
import { getWorkspace } from '#contract/additions.ts';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { desk } from './desk.ts';
import classes from './ListInput.module.css';
import { readFile } from './readFile.ts';
import { likeliestColumn, parseList, parseTable, type Table } from './parseList.ts';

/** Characters. A browser takes minutes to put ten thousand lines into a text field: so much is read at once instead. */
const LARGE_PASTE = 20_000;

/** What was pasted or chosen, and as what it was taken. */
export type ParsedInput = { source: string | null; lines: string[]; table: Table | null; column: number | null };

/** How the workspace's own identity is called: undefined when the service does not tell. */
export function useIdentityField(): string | null | undefined {
  const { identity_field } = useSession();
  return useCapability(getWorkspace) ? identity_field : undefined;
}

/** Puts what was read on the desk. */
export async function startDeskList(
  { source, lines, table, column }: ParsedInput,
  identityField: string | null | undefined,
  onProgress?: (share: number) => void,
): Promise<void> {
  const from = table !== null && column !== null ? { table, column } : { lines };
  await desk.startList(source, await parseList(from, identityField, onProgress));
}

/** Takes anything: pasted, dropped or chosen. */
export function ListInput({ onRead }: { onRead: (read: ParsedInput) => void }) {
  const identityField = useIdentityField();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const [share, setShare] = useState<number>();
  const [isOver, setIsOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);

  const reading = useMutation({
    mutationFn: async (given: string | File) => {
      setFault(undefined);
      const source = given instanceof File ? given.name : null;
      const whole = given instanceof File ? await readFile(given, (part) => setShare(part / 2)) : given;
      if (whole.trim() === '') return setFault(source === null ? 'Paste the list first.' : `${source} is empty.`);
      const table = await parseTable(whole);
      const column = table && likeliestColumn(table, identityField);
      const read = { source, lines: whole.split(/\r\n|\r|\n/), table, column };
      await startDeskList(read, identityField, (part) => setShare(0.5 + part / 2));
      onRead(read);
    },
    onSettled: () => setShare(undefined),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reading.mutate(text);
  };
  const paste = (event: ClipboardEvent) => {
    const more = event.clipboardData.getData('text/plain');
    if (more.length < LARGE_PASTE) return;
    event.preventDefault();
    reading.mutate(text === '' ? more : `${text}\n${more}`);
  };
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    setIsOver(false);
    if (file === undefined) return;
    event.preventDefault();
    reading.mutate(file);
  };

  return (
    // Dropping a file is one more way; the button beside it is the one for every hand.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={classes.intake}
      data-over={isOver || undefined}
      onSubmit={submit}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Textarea
        label="Who wants no more mail?"
        description={`Emails, phone numbers, UUIDs${identityField ? ` or ${identityField}` : ''}: one per line, a mail’s To: line, the text of a ticket, CSV or a column of a spreadsheet. Nothing is sent before you have seen the list.`}
        placeholder={'jane@example.com\nBob <bob@example.com>, +44 20 7946 0958'}
        rows={10}
        value={text}
        error={fault === undefined ? undefined : escapeHidden(fault)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setFault(undefined);
        }}
        onPaste={paste}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.text ?? '' }}
      />
      {reading.isError && (
        <Notice tone="bad" title="This cannot be read">
          <UntrustedText text={reading.error.message} />
        </Notice>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={reading.isPending}>
          Read the list
        </Button>
        <Button variant="default" onClick={() => chooser.current?.click()} disabled={reading.isPending}>
          Choose a file
        </Button>
        <span className={classes.hint}>or drop one here: text or CSV, up to 20 MB</span>
        {share !== undefined && <progress aria-label="Reading" value={share} />}
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="File with the list"
        accept=".csv,.tsv,.txt,.eml,text/*"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) reading.mutate(file);
          event.currentTarget.value = '';
        }}
      />
    </form>
  );
}
