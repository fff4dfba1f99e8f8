import { ActionIcon, Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { formatJson, LosslessNumber } from '../../ui/format/json.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { JsonView } from '../../ui/values/JsonView.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { EMPTY, LongText, quoteBlank } from '../timeline/ChangeList.tsx';
import classes from './AttributeList.module.css';

/** As in AttributeList.module.css. */
const FIRST = 10;
const LONG = 1000;

type Props = {
  attributes: Record<string, unknown>;
  /** Null if nothing can be edited now. */
  onEdit: ((key: string) => void) | null;
  /** The one whose value is being edited. */
  editing: string | undefined;
  editor: ReactNode;
};

/** A click on a value edits it, as its pencil does. */
export function AttributeList({ attributes, onEdit, editing, editor }: Props) {
  const entries = Object.entries(attributes);
  const [isFolded, setFolded] = useState(true);
  const hasMore = isFolded && entries.length > FIRST;
  if (entries.length === 0) return <p className="soft">This contact has no attributes.</p>;
  return (
    <>
      <dl className={classes.attributes} data-rows data-folded={hasMore || undefined}>
        {entries.map(([key, value]) => (
          <div key={key} data-attribute={toMark(key)}>
            <dt>
              <UntrustedText text={key} />
            </dt>
            {key === editing ? (
              <dd className={classes.editor}>{editor}</dd>
            ) : (
              <Value name={key} value={value} onEdit={onEdit && (() => onEdit(key))} />
            )}
          </div>
        ))}
      </dl>
      {hasMore && (
        <Button ref={refocusOnRemoval} size="xs" variant="default" onClick={() => setFolded(false)}>
          Show all {formatCount(entries.length)} attributes
        </Button>
      )}
    </>
  );
}

type ValueProps = { name: string; value: unknown; onEdit: (() => void) | null };

function Value({ name, value, onEdit }: ValueProps) {
  const text = toPlainText(value);
  const label = `Edit ${escapeHidden(name)}`;
  return (
    <dd>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the pencil does the same */}
      <span
        className={classes.value}
        data-editable={onEdit !== null || undefined}
        onClick={({ target }) => {
          const isControl = target instanceof Element && target.closest('summary, button, a') !== null;
          // Text that was selected is to be copied.
          if (!isControl && window.getSelection()?.isCollapsed !== false) onEdit?.();
        }}
      >
        {text === null ? (
          <JsonView value={value} depth={formatJson(value, 0).length > LONG ? 3 : 0} />
        ) : text === '' ? (
          <em className="soft">{EMPTY}</em>
        ) : (
          <LongText className={classes.text} text={typeof value === 'string' ? quoteBlank(text) : text} max={LONG} />
        )}
      </span>
      <span className={classes.tools}>
        {onEdit !== null && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            title={`${label} (e)`}
            aria-label={label}
            data-edits={toMark(name)}
            onClick={onEdit}
          >
            <IconPencil size={14} />
          </ActionIcon>
        )}
        {text !== null && text !== '' && <CopyButton value={text} what={name} />}
      </span>
    </dd>
  );
}

/** Null for what isn't one value. */
function toPlainText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const isOne = typeof value === 'number' || typeof value === 'boolean' || value instanceof LosslessNumber;
  return isOne ? formatJson(value, 0) : null;
}

/** A name in an attribute of the page, where nothing may hide. */
const toMark = (name: string) => encodeURIComponent(name.toWellFormed());

const editButtons = () => [...document.querySelectorAll<HTMLElement>('[data-edits]')];

export const findEditButton = (key: string | null): HTMLElement | undefined =>
  editButtons().find(({ dataset }) => key !== null && dataset['edits'] === toMark(key));

/** The attribute that holds the focus. */
export function readFocusedAttribute(): { key: string } | null {
  const mark = document.activeElement?.closest<HTMLElement>('[data-attribute]')?.dataset['attribute'];
  return mark === undefined ? null : { key: decodeURIComponent(mark) };
}
