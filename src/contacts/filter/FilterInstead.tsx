import { Button } from '@mantine/core';
import { parseSearchBox } from '#contract/contactFilter.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { UnknownEvents } from './UnknownEvents.tsx';
import type { ListControl } from '../../table/useList.ts';

/** Any text before a colon may be the name of an attribute. Identities are personal data, which stays out of the URL. */
const ANY = { has: (name: string) => name !== 'email' && name !== 'phone' };

/** Where no contact has the words of a search: what looks like conditions on attributes as a filter. */
export function FilterInstead({ list }: { list: ListControl }) {
  const { search, filters } = list.state;
  const { filter, errors, ...words } = parseSearchBox(search, ANY);
  if (filter === '' || errors.length > 0) return <UnknownEvents list={list} />;
  const both = [filters['filter'], filter].filter((part) => part !== undefined).join(' ');
  return (
    <Button
      ref={refocusOnRemoval}
      variant="default"
      size="xs"
      mr={8}
      onClick={() => list.change({ search: words.search, filters: { ...filters, filter: both } })}
    >
      <span>
        Filter by <UntrustedText text={filter} />
      </span>
    </Button>
  );
}
