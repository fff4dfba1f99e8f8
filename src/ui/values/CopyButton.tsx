import { ActionIcon, Button } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { KeyHint } from '../KeyHint.tsx';
import { usePageActions } from '../page/actions.ts';
import { type Copied, useCopy } from '../page/copy.ts';

type Props = {
  value: Copied;
  what: string;
  which?: string | undefined;
  label?: string;
  action?: string;
  /** The key of the action, if the button has a label. */
  shortcut?: string;
  isLoading?: boolean;
};

export function CopyButton({
  value,
  what: rawWhat,
  which: rawWhich,
  label,
  action,
  shortcut,
  isLoading = false,
}: Props) {
  const what = escapeHidden(rawWhat);
  const which = rawWhich === undefined ? undefined : escapeHidden(rawWhich);
  const button = useRef<HTMLButtonElement>(null);
  const { state, copy } = useCopy(value, what);
  const title = { idle: `Copy ${what}`, copied: 'Copied', failed: 'Can’t copy here' }[state];
  const Icon = { idle: IconCopy, copied: IconCheck, failed: IconX }[state];
  const run = () => {
    // After the palette, the focused button shows the result.
    button.current?.focus();
    copy();
  };
  usePageActions(action === undefined || isLoading ? [] : [{ id: action, label: label ?? `Copy ${what}`, run }]);
  if (label !== undefined) {
    return (
      <Button
        ref={button}
        variant="default"
        size="xs"
        loading={isLoading}
        leftSection={<Icon size={14} />}
        aria-keyshortcuts={shortcut}
        rightSection={shortcut && <KeyHint shortcut={shortcut} />}
        onClick={copy}
      >
        {state === 'idle' ? label : title}
      </Button>
    );
  }
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      ref={button}
      size={24}
      title={title}
      aria-label={which === undefined ? title : `${title}, ${which}`}
      onClick={copy}
    >
      <Icon size={14} />
    </ActionIcon>
  );
}
