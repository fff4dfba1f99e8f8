import { Button } from '@mantine/core';
import type { Meta } from '#contract/list.ts';

/** A page number beyond the last one: the list is not empty, and one click leads back into it. */
export function PastTheEnd({ what, meta, onFirst }: { what: string; meta: Meta; onFirst: () => void }) {
  return (
    <>
      <p>
        There is no page {meta.current_page.toLocaleString('en')}. The {meta.total.toLocaleString('en')} {what} end on
        page {meta.last_page.toLocaleString('en')}.
      </p>
      <Button variant="default" size="xs" onClick={onFirst}>
        Go to the first page
      </Button>
    </>
  );
}
