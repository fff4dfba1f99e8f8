import { InputBase, NativeSelect } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { splitHidden, escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import classes from './EditAttributes.module.css';
import { withLineEnds, withText, type DraftLine } from './attributeChanges.ts';

/** Description and error stand below the field. */
const FIELD_ORDER: ('input' | 'description' | 'error')[] = ['input', 'description', 'error'];

type Props = {
  line: DraftLine;
  /** That of the attribute, for labels. */
  name: string;
  error: ReactNode;
  /** What is probably a slip. */
  hint: string | null;
  onEdit: (part: Partial<DraftLine>) => void;
};

/** The value of one attribute. */
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
  // Also for one line: an input would drop pasted line breaks, and replacing it while somebody types the focus.
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

/** As an input does. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** In characters, of the narrowest form. */
const LINE_WIDTH = 34;
const MAX_ROWS = 12;
const LONG_ROWS = 3;

/** About as many rows as the text fills. */
function estimateRows({ kind, text }: DraftLine): number {
  const lines = text.slice(0, LINE_WIDTH * MAX_ROWS).split(/\r\n|\r|\n/);
  const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_WIDTH)), 0);
  return Math.min(MAX_ROWS, Math.max(kind === 'long' ? LONG_ROWS : 1, rows));
}

/** So many codes of one value are named. */
const HIDDEN_MAX = 5;

/** Names the invisible characters of a value: a text field cannot mark them in place. Null where there are none. */
function describeHiddenCharacters(text: string): string | null {
  const codes = new Set(splitHidden(text).flatMap((piece) => (piece.isHidden ? escapeInvisible(piece.text) : [])));
  return codes.size === 0 ? null : `Contains invisible characters: ${[...codes].slice(0, HIDDEN_MAX).join(' ')}`;
}
