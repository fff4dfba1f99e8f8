import { IconX } from '@tabler/icons-react';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from './Filters.module.css';

/** A filter that a link has set; a click removes it. */
export function Chosen({ label, text, onRemove }: { label: string; text: string; onRemove: () => void }) {
  return (
    <button
      ref={refocusOnRemoval}
      type="button"
      className={classes.chosen}
      onClick={onRemove}
      title="Remove this filter"
    >
      {label}: <UntrustedText text={text} />
      <IconX size={14} aria-hidden />
    </button>
  );
}
