import { Button, Textarea } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ClipboardEvent, type DragEvent } from 'react';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import type { ParsedInput } from '../list/readInput.ts';
import { Form } from '../ui/Form.tsx';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { useForm } from '../ui/useForm.ts';
import { useUnsavedWarning } from '../ui/useUnsavedWarning.ts';
import classes from './ListInput.module.css';
import { useListReader } from './useListReader.ts';

/**
 * Characters. A longer text is read when it is pasted and not shown: browsers take minutes to put ten thousand lines into a
 * text field.
 */
const LARGE_PASTE = 20_000;

/** What is typed and not read yet: in the memory of the page, so that one may leave and come back. A sign-out drops it. */
const typedQuery = queryOptions({
  queryKey: ['typed list'],
  queryFn: () => '',
  initialData: '',
  staleTime: Infinity,
  gcTime: Infinity,
});

type Props = {
  /** Whether it follows a list: it takes the focus then. */
  isNext: boolean;
  onRead: (read: ParsedInput) => void;
};

/** Reads a list that is pasted, typed, dropped or chosen as a file. */
export function ListInput({ isNext, onRead }: Props) {
  const client = useQueryClient();
  const { data: typed } = useQuery(typedQuery);
  const form = useForm({ text: typed });
  const { text } = form.values;
  const keep = (kept: string) => client.setQueryData(typedQuery.queryKey, kept);
  useUnsavedWarning(text.trim() !== '');
  const placed = (input: ParsedInput) => {
    keep('');
    onRead(input);
  };
  const { identityField, reading, share } = useListReader(placed, (error) => form.setErrors({ text: error }));
  const read = (input: string | File) => form.submit(() => reading.mutate(input));
  const { isOver, ...dropHandlers } = useFileDrop(read);
  const { error, ...field } = form.field('text');
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isNext) area.current?.focus();
  }, [isNext]);
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length < LARGE_PASTE) return;
    event.preventDefault();
    read(text === '' ? pasted : `${text}\n${pasted}`);
  };

  return (
    <Form className={classes.intake} data-over={isOver || undefined} onSubmit={() => read(text)} {...dropHandlers}>
      <Textarea
        label="Who wants no more mail?"
        description={`Emails, phone numbers, UUIDs${identityField ? ` or ${identityField}` : ''}: one per line, a mail or its source, the text of a ticket, CSV or a column of a spreadsheet. Nothing is sent before you have seen the list.`}
        placeholder={'jane@example.com\nBob <bob@example.com>, +44 20 7946 0958'}
        rows={10}
        ref={area}
        {...field}
        onChange={(event) => {
          field.onChange(event);
          keep(event.currentTarget.value);
        }}
        error={error && escapeHidden(error)}
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
      <ReadButtons isReading={reading.isPending} share={share} onFile={read} />
    </Form>
  );
}

/** `isOver`: whether something is dragged over the element. */
function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      setIsOver(false);
      if (file === undefined) return;
      event.preventDefault();
      onFile(file);
    },
  };
}

type ReadButtonsProps = { isReading: boolean; share: number | undefined; onFile: (file: File) => void };

function ReadButtons({ isReading, share, onFile }: ReadButtonsProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className={classes.actions}>
        <Button type="submit" loading={isReading}>
          Read the list
        </Button>
        <Button variant="default" onClick={() => chooser.current?.click()} disabled={isReading}>
          Choose a file
        </Button>
        <span className={classes.hint}>or drop one here: CSV, text or a mail (.eml, .mbox), up to 20 MB</span>
        {share !== undefined && <progress aria-label="Reading" value={share} />}
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label="File with the list"
        accept=".csv,.tsv,.txt,.eml,.mbox,.vcf,text/*,message/rfc822"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
