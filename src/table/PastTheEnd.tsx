import { Button } from '@mantine/core';
import type { Meta } from '#contract/list.ts';
import { formatCount } from '../ui/formatCount.ts';

type Props = { what: string; meta: Meta; onPage: (page: number) => void };

/** Shown for a page number beyond the last page, with buttons that lead back into the list. */
export function PastTheEnd({ what, meta, onPage }: Props) {
  return (
    <>
      <p>
        There is no page {formatCount(meta.current_page)}. The {formatCount(meta.total)} {what} end on page{' '}
        {formatCount(meta.last_page)}.
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
