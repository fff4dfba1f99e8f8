import { Button } from '@mantine/core';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import type { ListControl } from './useListState.ts';

type Props = {
  list: ListControl;
  /** One row, as in "domain". */
  what: string;
  /** How rows are added, where there are none at all. */
  hint: string;
};

/** Says why a list is empty: because of the search or the filter, or because there are no rows yet. */
export function ListEmpty({ list, what, hint }: Props) {
  const { search, filters } = list.state;
  if (search === '' && Object.keys(filters).length === 0) {
    return (
      <>
        <p>There is no {what} here yet.</p>
        <p>{hint}</p>
      </>
    );
  }
  return (
    <>
      <p>
        {search === '' ? (
          `No ${what} passes this filter.`
        ) : (
          <>
            No {what} matches “<UntrustedText text={search} />
            ”.
          </>
        )}
      </p>
      <Button variant="default" size="xs" onClick={() => list.change({ search: '', filters: {} })}>
        Show all
      </Button>
    </>
  );
}
