import { ActionIcon, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { splitHidden, escapeHidden, escapeInvisible } from '#contract/invisibleCharacters.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { withLineEnds, type DraftLine } from './attributeChanges.ts';
import classes from './EditAttributes.module.css';

type Props = {
  line: DraftLine;
  nameError: string | undefined;
  /** Of the value where there is no `nameError`. */
  error: string | undefined;
  onEdit: (part: Partial<DraftLine>) => void;
};

/** The fields of one attribute: its name where it is new, its value, and whether that is text or JSON. */
export function AttributeFields({ line, nameError, error, onEdit }: Props) {
  const name = line.key === '' ? 'new attribute' : escapeHidden(line.key);
  // It stays true when only one line is left: replacing the field while somebody types would lose the focus.
  const [isMultiline, setMultiline] = useState(false);
  if (!isMultiline && /[\r\n]/.test(line.text)) setMultiline(true);
  if (line.removed) return <RemovedLine attribute={line.key} name={name} onKeep={() => onEdit({ removed: false })} />;
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
          error={nameError}
          onChange={(event) => onEdit({ key: event.currentTarget.value })}
        />
      ) : (
        <UntrustedText className={classes.key} text={line.key} />
      )}
      <div className={classes.value}>
        <ValueField
          line={line}
          name={name}
          isMultiline={isMultiline}
          error={nameError === undefined ? error : undefined}
          onEdit={onEdit}
        />
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
      <ActionIcon variant="subtle" color="gray" aria-label={`Keep ${name}`} onClick={onKeep}>
        <IconArrowBackUp size={16} />
      </ActionIcon>
    </div>
  );
}

/** Description and error stand below the field. */
const FIELD_ORDER: ('input' | 'description' | 'error')[] = ['input', 'description', 'error'];

type ValueFieldProps = Omit<Props, 'nameError'> & { name: string; isMultiline: boolean };

function ValueField({ line, name, isMultiline, error, onEdit }: ValueFieldProps) {
  const field = {
    size: 'xs',
    'aria-label': `Value of ${name}`,
    value: line.text,
    error,
    description: describeHiddenCharacters(line.text),
    inputWrapperOrder: FIELD_ORDER,
  };
  return isMultiline ? (
    <Textarea
      {...field}
      autosize
      maxRows={12}
      onChange={(event) => onEdit({ text: withLineEnds(line.text, event.currentTarget.value) })}
    />
  ) : (
    <TextInput {...field} onChange={(event) => onEdit({ text: event.currentTarget.value })} />
  );
}

/** So many codes of one value are named. */
const HIDDEN_MAX = 5;

/** Names the invisible characters of a value: a text field cannot mark them in place. Null where there are none. */
function describeHiddenCharacters(text: string): string | null {
  const codes = new Set(splitHidden(text).flatMap((piece) => (piece.isHidden ? escapeInvisible(piece.text) : [])));
  return codes.size === 0 ? null : `It holds what cannot be seen: ${[...codes].slice(0, HIDDEN_MAX).join(' ')}`;
}
