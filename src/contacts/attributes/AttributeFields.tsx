import { ActionIcon, NativeSelect, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import type { DraftLine, ValueKind } from './attributeChanges.ts';
import { hintAt } from './attributeHints.ts';
import classes from './EditAttributes.module.css';
import { ValueField } from './ValueField.tsx';

type Props = {
  line: DraftLine;
  nameError: string | undefined;
  error: ReactNode;
  onEdit: (part: Partial<DraftLine>) => void;
  /** Removes a new line. */
  onDrop: () => void;
};

const KINDS: readonly { value: ValueKind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'long', label: 'Long text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes / No' },
  { value: 'json', label: 'JSON' },
];

/** The fields of one attribute: its name if it's new, its type and its value. */
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
