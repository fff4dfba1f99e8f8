import { ActionIcon, Button } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { usePageActions } from './actions.ts';
import { useCopy } from './copy.ts';

type Props = {
  value: string;
  /** What is copied, as in "Copy host". */
  what: string;
  /** Of several on a page, which one it is of, for those who do not see where it stands. */
  which?: string | undefined;
  /** Shows words beside the icon. */
  label?: string;
  /** Offers it in the palette as well, under this id. */
  action?: string;
};

/** Copies `value` and says so. */
export function CopyButton({ value, what: given, which: givenWhich, label, action }: Props) {
  const what = escapeHidden(given);
  const which = givenWhich === undefined ? undefined : escapeHidden(givenWhich);
  const button = useRef<HTMLButtonElement>(null);
  const { state, copy } = useCopy(value, what);
  const Icon = { idle: IconCopy, copied: IconCheck, failed: IconX }[state];
  const title = { idle: `Copy ${what}`, copied: 'Copied', failed: 'Cannot copy here' }[state];
  const run = () => {
    // Where one can see that it was copied.
    button.current?.focus();
    copy();
  };
  usePageActions(action === undefined ? [] : [{ id: action, label: label ?? `Copy ${what}`, run }]);
  if (label !== undefined) {
    return (
      <Button ref={button} variant="default" size="xs" leftSection={<Icon size={14} />} onClick={copy}>
        {state === 'idle' ? label : title}
      </Button>
    );
  }
  return (
    <ActionIcon
      ref={button}
      variant="subtle"
      color="gray"
      size="sm"
      title={title}
      aria-label={which === undefined ? title : `${title}, ${which}`}
      onClick={copy}
    >
      <Icon size={14} />
    </ActionIcon>
  );
}
