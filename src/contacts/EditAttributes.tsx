import { ActionIcon, Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { getContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import type { Attributes } from '#contract/field.ts';
import { updateContact } from '#contract/interface.ts';
import { splitHidden, escapeHidden, escapeInvisible } from '#contract/invisibleCharacters.ts';
import { ApiError } from '../api/ApiError.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useCapability } from '../session/useSession.ts';
import { announce } from '../ui/announce.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import {
  parseDraft,
  diffAttributes,
  createDraft,
  hasLines,
  findRemovedAttributes,
  withLineEnds,
  toDraftValue,
  type AttributeChange,
  type DraftLine,
} from './attributeChanges.ts';
import { ChangeList } from './ChangeList.tsx';
import classes from './EditAttributes.module.css';
import { useUpdateContact } from './mutations.ts';
import { contactQuery } from './queries.ts';

type Props = { contact: string; known: ReadableContact | undefined; onClose: () => void };

/** Changes attributes: shows before and after, sends only what changed, and tells when somebody else was faster. */
export function EditAttributes({ contact, known, onClose }: Props) {
  const client = useQueryClient();
  const canRead = useCapability(getContact);
  const update = useUpdateContact(contact);
  /** What the draft started from, not what the page may have read since. */
  const [base, setBase] = useState(known);
  const original = base?.attributes ?? {};
  const [draft, setDraft] = useState(() => createInitialDraft(original));
  const [theirs, setTheirs] = useState<AttributeChange[]>([]);
  const [lost, setLost] = useState<Attributes>({});
  const [checking, setChecking] = useState<Error | 'now' | null>(null);
  const { changes, body, faults } = parseDraft(original, draft);
  const ready = changes.length > 0 && faults.size === 0;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);
  useUnsavedWarning(changes.length > 0 && !update.isSuccess);

  const refused = new Map(
    update.error instanceof ApiError ? update.error.fields.map(({ field, message }) => [field, message]) : [],
  );

  const edit = (id: number, part: Partial<DraftLine>) => {
    // What the service said was about the values of then.
    update.reset();
    setDraft((lines) => lines.map((line) => (line.id === id ? { ...line, ...part } : line)));
  };

  const send = (attributes: Attributes) =>
    update.mutate(attributes, {
      onSuccess: (answer) => {
        announce('Saved');
        const gone = findRemovedAttributes(original, attributes, answer.attributes ?? {});
        if (base !== undefined && Object.keys(gone).length > 0) setLost(gone);
        else onClose();
      },
    });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    if (!canRead || base === undefined) return send(body);
    setChecking('now');
    try {
      const { data: now } = await client.query({ ...contactQuery(contact), staleTime: 0 });
      setChecking(null);
      if (now.updated_at === base.updated_at) return send(body);
      setTheirs(diffAttributes(original, now.attributes ?? {}));
      setBase(now);
      setDraft(rebase(now.attributes ?? {}, changes));
    } catch (error) {
      setChecking(error instanceof Error ? error : new Error(String(error)));
    }
  };

  if (Object.keys(lost).length > 0) {
    return (
      <Notice
        tone="warn"
        title="This service replaced the attributes"
        actions={
          <>
            <Button size="xs" loading={update.isPending} onClick={() => send({ ...lost, ...body })}>
              Put them back
            </Button>
            <Button size="xs" variant="default" onClick={onClose}>
              Leave it
            </Button>
          </>
        }
      >
        Your change was saved, but <UntrustedText text={Object.keys(lost).join(', ')} /> disappeared from the contact.
        {update.isError && <ErrorAlert error={update.error} />}
      </Notice>
    );
  }
  return (
    <form ref={form} className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      {theirs.length > 0 && (
        <Notice tone="warn" title="Somebody else changed this contact meanwhile">
          <ChangeList changes={theirs} />
          Your own changes are kept below. Save again to write them over the present state.
        </Notice>
      )}
      {draft.map((line) => (
        <AttributeFields
          key={line.id}
          line={line}
          error={faults.get(line.id) ?? refused.get(`attributes.${line.key}`)}
          onEdit={(part) => edit(line.id, part)}
        />
      ))}
      <Button
        size="xs"
        variant="default"
        className={classes.add}
        onClick={() => setDraft((lines) => [...lines, emptyLine(lines)])}
      >
        Add an attribute
      </Button>
      <div className={classes.preview} aria-live="polite">
        {changes.length === 0 ? (
          <p>Nothing is changed yet.</p>
        ) : (
          <>
            <h3>{changes.length === 1 ? 'One change' : `${changes.length} changes`}</h3>
            <ChangeList changes={changes} />
          </>
        )}
      </div>
      {checking instanceof Error && <ErrorAlert error={checking} note="Nothing was sent." />}
      {update.isError && <ErrorAlert error={update.error} {...describeUncertainty(update.error)} />}
      <div className={classes.buttons}>
        <CopyCurl endpoint={updateContact} input={ready ? { contact, body: { attributes: body } } : null} />
        <Button size="xs" variant="default" onClick={onClose}>
          Discard
        </Button>
        <Button size="xs" type="submit" disabled={!ready} loading={update.isPending || checking === 'now'}>
          Save
        </Button>
      </div>
    </form>
  );
}

type AttributeFieldsProps = { line: DraftLine; error: string | undefined; onEdit: (part: Partial<DraftLine>) => void };

function AttributeFields({ line, error, onEdit }: AttributeFieldsProps) {
  const name = line.key === '' ? 'new attribute' : escapeHidden(line.key);
  // Also once it has one line only: a field that is replaced while somebody types loses the focus.
  const [isLong, setLong] = useState(false);
  if (!isLong && hasLines(line.text)) setLong(true);
  if (line.removed) {
    return (
      <div className={classes.removed}>
        <span>
          <s>
            <UntrustedText text={line.key} />
          </s>{' '}
          will be removed
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Keep ${name}`}
          onClick={() => onEdit({ removed: false })}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </div>
    );
  }
  const field = {
    size: 'xs',
    'aria-label': `Value of ${name}`,
    value: line.text,
    error,
    description: describeHiddenCharacters(line.text),
    inputWrapperOrder: FIELD_ORDER,
  };
  return (
    <fieldset className={classes.line}>
      <legend className="visually-hidden">{name}</legend>
      {line.isNew ? (
        <TextInput
          size="xs"
          aria-label="Name of the new attribute"
          placeholder="name"
          value={line.key}
          maxLength={128}
          onChange={(event) => onEdit({ key: event.currentTarget.value })}
        />
      ) : (
        <UntrustedText className={classes.key} text={line.key} />
      )}
      <div className={classes.value}>
        {isLong ? (
          <Textarea
            {...field}
            autosize
            maxRows={12}
            onChange={(event) => onEdit({ text: withLineEnds(line.text, event.currentTarget.value) })}
          />
        ) : (
          <TextInput {...field} onChange={(event) => onEdit({ text: event.currentTarget.value })} />
        )}
        <NativeSelect
          size="xs"
          aria-label={`Kind of ${name}`}
          value={line.json ? 'json' : 'text'}
          data={[
            { value: 'text', label: 'Text' },
            { value: 'json', label: 'JSON' },
          ]}
          onChange={(event) => onEdit({ json: event.currentTarget.value === 'json' })}
        />
        {!line.isNew && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name}`}
            onClick={() => onEdit({ removed: true })}
          >
            <IconTrash size={16} />
          </ActionIcon>
        )}
      </div>
    </fieldset>
  );
}

/** What a field says, below it. */
const FIELD_ORDER: ('input' | 'description' | 'error')[] = ['input', 'description', 'error'];

/** Codes that are named of one value. */
const HIDDEN_MAX = 5;

/** What is in a text field, and cannot be marked there. */
function describeHiddenCharacters(text: string): string | null {
  const codes = new Set(splitHidden(text).flatMap((piece) => (piece.isHidden ? escapeInvisible(piece.text) : [])));
  return codes.size === 0 ? null : `It holds what cannot be seen: ${[...codes].slice(0, HIDDEN_MAX).join(' ')}`;
}

const emptyLine = (lines: DraftLine[]): DraftLine => ({
  id: Math.max(-1, ...lines.map((line) => line.id)) + 1,
  key: '',
  text: '',
  json: false,
  removed: false,
  isNew: true,
});

/** A contact without known attributes starts with a line to fill in. */
function createInitialDraft(attributes: Attributes): DraftLine[] {
  const lines = createDraft(attributes);
  return lines.length === 0 ? [emptyLine([])] : lines;
}

/** One's own changes on top of the present state. */
function rebase(attributes: Attributes, changes: AttributeChange[]): DraftLine[] {
  const mine = new Map(changes.map((change) => [change.key, change]));
  const lines = createDraft(attributes).map((line) => {
    const change = mine.get(line.key);
    mine.delete(line.key);
    if (change === undefined) return line;
    if (change.after === undefined) return { ...line, removed: true };
    return { ...line, ...toDraftValue(change.after) };
  });
  for (const { key, after } of mine.values()) {
    if (after === undefined) continue;
    lines.push({ ...emptyLine(lines), key, ...toDraftValue(after) });
  }
  return lines;
}

/** After a lost answer nobody knows whether the change was made. */
function describeUncertainty(error: unknown): { note?: string } {
  const unsure = error instanceof ApiError && (error.kind !== 'status' || (error.status ?? 0) >= 500);
  return unsure ? { note: 'It is not certain whether this was saved. Save again, or read the contact anew.' } : {};
}

/** Leaving with unsaved changes asks first: by a link of the console, or by closing the tab. */
function useUnsavedWarning(unsaved: boolean) {
  useEffect(() => {
    if (!unsaved) return;
    const askOnClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const askOnLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (link === null || window.confirm('Leave, and discard the unsaved changes?')) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('beforeunload', askOnClose);
    document.addEventListener('click', askOnLink, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', askOnClose);
      document.removeEventListener('click', askOnLink, { capture: true });
    };
  }, [unsaved]);
}
