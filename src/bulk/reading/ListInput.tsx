import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type ClipboardEvent } from 'react';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import type { ParsedInput } from '../../listParser/readInput.ts';
import { Form } from '../../ui/Form.tsx';
import { useFileDrop } from '../../ui/page/useFileDrop.ts';
import { useForm } from '../../ui/useForm.ts';
import { bulk } from '../bulk.ts';
import { handedTextQuery } from '../handedText.ts';
import { ReadingErrorNotice, ReadingProgress, StorageErrorNotice } from '../BulkNotices.tsx';
import stages from '../Stages.module.css';
import classes from './ListInput.module.css';
import { usePastedText } from '../../ui/page/pastedText.ts';
import { type ReadingStep, useListReader } from './useListReader.ts';
import { useLostFocus } from '../useLostFocus.ts';

/** Characters. A longer text is read without being shown: browsers take minutes to put ten thousand lines into a text field. */
const LARGE_PASTE = 20_000;

export function ListInput({ onRead }: { onRead: (read: ParsedInput) => void }) {
  const [typed] = useState(bulk.typed);
  const form = useForm({ text: typed });
  const { text } = form.values;
  const keep = useMutation({ mutationFn: bulk.type });
  const { mutate: type } = keep;
  useEffect(() => type(text), [type, text]);
  const placed = (input: ParsedInput) => {
    // A file leaves the typed text unread.
    if (input.name === null) type('');
    onRead(input);
  };
  const reader = useListReader(placed);
  const read = (input: string | File) => {
    const isEmpty = typeof input === 'string' && input.trim() === '';
    form.setErrors({ text: isEmpty ? 'Paste a list first.' : undefined });
    if (!isEmpty) reader.read(input);
  };
  const add = (pasted: string) => read(text === '' ? pasted : `${text}\n${pasted}`);
  usePastedText(document, add);
  useHandedText(add);
  const { isOver, ...dropHandlers } = useFileDrop(read);
  const { error, ...field } = form.field('text');
  const area = useLostFocus<HTMLTextAreaElement>();
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length < LARGE_PASTE) return;
    event.preventDefault();
    add(pasted);
  };

  return (
    <Form className={classes.intake} data-over={isOver || undefined} onSubmit={() => read(text)} {...dropHandlers}>
      <Textarea
        label="Who should be unsubscribed?"
        description={`Emails, phone numbers, UUIDs${reader.identityField ? ` or ${reader.identityField}` : ''}: one per line, an email or its source, the text of a ticket, CSV or a spreadsheet column. Nothing is sent before you review the list.`}
        placeholder={'jane@example.com\nBob <bob@example.com>, +44 20 7946 0958'}
        rows={10}
        ref={area}
        {...field}
        error={error && escapeHidden(error)}
        onPaste={paste}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.text ?? '' }}
      />
      <StorageErrorNotice of={[keep]} />
      <ReadingErrorNotice error={reader.error} />
      <ReadButtons step={reader.step} onFile={read} />
    </Form>
  );
}

/** Takes a list that was pasted on another page. */
function useHandedText(take: (text: string) => void): void {
  const client = useQueryClient();
  const { data: text } = useQuery(handedTextQuery);
  const onText = useEffectEvent(take);
  useEffect(() => {
    if (text === '') return;
    client.setQueryData(handedTextQuery.queryKey, '');
    onText(text);
  }, [client, text]);
}

type ReadButtonsProps = { step: ReadingStep | null; onFile: (file: File) => void };

function ReadButtons({ step, onFile }: ReadButtonsProps) {
  const isReading = step !== null;
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className={stages.actions}>
        <Button type="submit" loading={isReading}>
          Read the list
        </Button>
        <Button variant="default" onClick={() => chooser.current?.click()} disabled={isReading}>
          Choose a file
        </Button>
        <span className="note">or drop one here: CSV, text or an email (.eml, .mbox), up to 20 MB</span>
      </div>
      {isReading && <ReadingProgress step={step} />}
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
