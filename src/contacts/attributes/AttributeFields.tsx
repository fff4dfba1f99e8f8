import { ActionIcon, NativeSelect, TextInput, InputBase } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import type { ReactNode, KeyboardEvent } from 'react';
import { escapeHidden, splitHidden, escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { type DraftLine, type ValueKind, withLineEnds, withText } from './attributeChanges.ts';
import { hintAt } from './attributeHints.ts';
import classes from './EditAttributes.module.css';

type Props = {
  line: DraftLine;
  nameError: string | undefined;
  error: ReactNode;
  onEdit: (part: Partial<DraftLine>) => void;
  onDrop: () => void;
};

const KINDS: readonly { value: ValueKind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'long', label: 'Long text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes / No' },
  { value: 'json', label: 'JSON' },
];

export function AttributeFields({ line, nameError, error, onEdit, onDrop }: Props) {
  const identityField = useIdentityField();
  const name = line.key === '' ? 'new attribute' : escapeHidden(line.key);
  if (line.removed) return <RemovedLine attribute={line.key} name={name} onKeep={() => onEdit({ removed: false })} />;
  // A one-line field would join the lines.
  const kinds = KINDS.map((kind) => ({ ...kind, disabled: kind.value === 'text' && /[\r\n]/.test(line.text) }));
  return (
    <fieldset className={classes.line}>
      <legend className="visually-hidden">{name}</legend>
      <div className={classes.head}>
        {line.isNew ? (
          <TextInput
            size="xs"
            aria-label="Name of the new attribute"
            placeholder="name"
            value={line.key}
            maxLength={128}
            error={nameError}
            onChange={(event) => onEdit({ key: event.currentTarget.value })}
          />
        ) : (
          <UntrustedText className={classes.key} text={line.key} />
        )}
        <NativeSelect
          size="xs"
          className={classes.kind}
          aria-label={`Type of ${name}`}
          value={line.kind}
          data={kinds}
          onChange={(event) => onEdit({ kind: event.currentTarget.value as ValueKind })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${name}`}
          title={`Remove ${name}`}
          onClick={() => (line.isNew ? onDrop() : onEdit({ removed: true }))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      <ValueField
        line={line}
        name={name}
        error={nameError === undefined ? error : undefined}
        hint={line.kind === 'text' ? hintAt(line.key, line.text, identityField) : null}
        onEdit={onEdit}
      />
    </fieldset>
  );
}

type RemovedLineProps = { attribute: string; name: string; onKeep: () => void };

function RemovedLine({ attribute, name, onKeep }: RemovedLineProps) {
  return (
    <div className={classes.removed}>
      <span>
        <s>
          <UntrustedText text={attribute} />
        </s>{' '}
        will be removed
      </span>
      <ActionIcon variant="subtle" color="gray" aria-label={`Keep ${name}`} title={`Keep ${name}`} onClick={onKeep}>
        <IconArrowBackUp size={16} />
      </ActionIcon>
    </div>
  );
}

const FIELD_ORDER: ('input' | 'description' | 'error')[] = ['input', 'description', 'error'];

type ValueFieldProps = {
  line: DraftLine;
  name: string;
  error: ReactNode;
  hint: string | null;
  onEdit: (part: Partial<DraftLine>) => void;
};

export function ValueField({ line, name, error, hint, onEdit }: ValueFieldProps) {
  const field = { size: 'xs', 'aria-label': `Value of ${name}`, error } as const;
  if (line.kind === 'boolean') {
    return (
      <NativeSelect
        {...field}
        value={line.text === 'true' || line.text === 'false' ? line.text : ''}
        data={[
          { value: '', label: 'Choose', disabled: true },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        onChange={(event) => onEdit({ text: event.currentTarget.value })}
      />
    );
  }
  // Even for one line: an input drops pasted line breaks, and replacing it while you type loses focus.
  return (
    <InputBase
      {...field}
      component="textarea"
      multiline
      classNames={{ input: classes.area ?? '' }}
      rows={estimateRows(line)}
      inputMode={line.kind === 'number' ? 'decimal' : 'text'}
      value={line.text}
      description={hint ?? describeHiddenCharacters(line.text)}
      inputWrapperOrder={FIELD_ORDER}
      onKeyDown={line.kind === 'text' || line.kind === 'number' ? submitOnEnter : undefined}
      onChange={(event) => onEdit(withText(line, withLineEnds(line.text, event.currentTarget.value)))}
    />
  );
}

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** In characters, in the narrowest form. */
const LINE_WIDTH = 34;
const MAX_ROWS = 12;
const LONG_ROWS = 3;

function estimateRows({ kind, text }: DraftLine): number {
  const lines = text.slice(0, LINE_WIDTH * MAX_ROWS).split(/\r\n|\r|\n/);
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_WIDTH)), 0);
  return Math.min(MAX_ROWS, Math.max(kind === 'long' ? LONG_ROWS : 1, rows));
}

const HIDDEN_MAX = 5;

/** A text field can't mark invisible characters. */
function describeHiddenCharacters(text: string): string | null {
  const codes = new Set(splitHidden(text).flatMap((piece) => (piece.isHidden ? escapeInvisible(piece.text) : [])));
  return codes.size === 0 ? null : `Contains invisible characters: ${[...codes].slice(0, HIDDEN_MAX).join(' ')}`;
}
