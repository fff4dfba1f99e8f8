import { Button } from '@mantine/core';
import { IconMailX } from '@tabler/icons-react';
import { usePageActions } from '../../ui/page/actions.ts';
import { openBounceReader } from '../../ui/page/bounceReader.ts';

/** Opens the bounce reader, about `domain` if it's known. */
export function ReadBounceButton({ domain = null }: { domain?: string | null }) {
  const open = () => openBounceReader({ domain });
  usePageActions([{ id: 'read-bounce', label: 'Read a bounce', run: open }]);
  return (
    <Button size="xs" variant="default" leftSection={<IconMailX size={14} />} aria-haspopup="dialog" onClick={open}>
      Read a bounce
    </Button>
  );
}
