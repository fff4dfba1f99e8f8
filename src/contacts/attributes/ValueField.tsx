import { InputBase, NativeSelect } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { splitHidden, escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import classes from './EditAttributes.module.css';
import { withLineEnds, withText, type DraftLine } from './attributeChanges.ts';

const FIELD_ORDER: ('input' | 'description' | 'error')[] = ['input', 'description', 'error'];

type Props = {
  line: DraftLine;
  name: string;
  error: ReactNode;
  /** A probable slip. */
  hint: string | null;
  onEdit: (part: Partial<DraftLine>) => void;
};

export function ValueField({ line, name, error, hint, onEdit }: Props) {
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
