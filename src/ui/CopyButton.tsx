import { ActionIcon, Button } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useCopy } from './copy.ts';

type Props = {
  value: string;
  /** What is copied, as in "Copy host". */
  what: string;
  /** Shows words beside the icon. */
  label?: string;
};

/** Copies `value` and says so. */
export function CopyButton({ value, what, label }: Props) {
  const { state, copy } = useCopy(what);
  const Icon = { idle: IconCopy, copied: IconCheck, failed: IconX }[state];
  const title = { idle: `Copy ${what}`, copied: 'Copied', failed: 'Cannot copy here' }[state];
  if (label !== undefined) {
    return (
      <Button variant="default" size="xs" leftSection={<Icon size={14} />} onClick={() => copy(value)}>
        {state === 'idle' ? label : title}
      </Button>
    );
  }
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" title={title} aria-label={title} onClick={() => copy(value)}>
      <Icon size={14} />
    </ActionIcon>
  );
}
