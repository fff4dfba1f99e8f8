import { Button } from '@mantine/core';
import type { Meta } from '#contract/list.ts';

type Props = { what: string; meta: Meta; onPage: (page: number) => void };

/** Shown for a page number beyond the last page, with buttons that lead back into the list. */
export function PastTheEnd({ what, meta, onPage }: Props) {
  return (
    <>
      <p>
        There is no page {meta.current_page.toLocaleString('en')}. The {meta.total.toLocaleString('en')} {what} end on
        page {meta.last_page.toLocaleString('en')}.
      </p>
      <div>
        <Button variant="default" size="xs" mr={8} onClick={() => onPage(1)}>
          Go to the first page
        </Button>
        <Button variant="default" size="xs" onClick={() => onPage(meta.last_page)}>
          Go to the last page
        </Button>
      </div>
    </>
  );
}
