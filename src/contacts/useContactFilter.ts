import { useState } from 'react';
import { listContacts } from '#contract/additions.ts';
import { SEARCH_MAX } from '#contract/list.ts';
import { searchWordsOf } from '../identity/parse/searchWords.ts';
import type { ListOptions, ListState } from '../table/listState.ts';
import { useListState, type ListControl } from '../table/useListState.ts';

export const CONTACT_LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listContacts.list.sortable,
  filters: listContacts.list.filters,
};

const NOTHING = { text: '', search: '' };

/** What the box of the page filters its list by. */
export type ContactFilter = {
  /** The text that the list is filtered by now. */
  text: string;
  /** The list as it is filtered now. */
  state: ListState;
  /** Filters by `text`, or by `search` where the text is personal data, which is kept out of the URL. */
  apply: (text: string, search: string | null) => void;
};

/**
 * The state of the list of contacts, and what filters it. Words are in the URL. An identity is personal data, so it is
 * kept in memory and the URL has no search meanwhile.
 */
export function useContactFilter(): { list: ListControl; filter: ContactFilter } {
  const list = useListState(CONTACT_LIST);
  const [unwritten, setUnwritten] = useState(NOTHING);
  const { search } = list.state;
  const change: ListControl['change'] = (change, how) => {
    // Not with other words: until the router has put them into the URL, the box would be empty.
    if (change.search === '') setUnwritten(NOTHING);
    list.change(change, how);
  };
  const apply = (text: string, personal: string | null) => {
    if (personal === null && text.length <= SEARCH_MAX) {
      // The first letter adds an entry to the browser's history, further letters replace it.
      return change({ search: text }, { replace: search !== '' && text !== '' });
    }
    setUnwritten({ text, search: (personal ?? text).slice(0, SEARCH_MAX) });
    list.change({ search: '' }, { replace: true });
  };
  // The URL counts where it has a search: Back leads to one.
  const [text, words] = search === '' ? [unwritten.text, unwritten.search] : [search, search];
  const state = { ...list.state, search: searchWordsOf(words) };
  return { list: { ...list, state, change, typed: text }, filter: { text, state, apply } };
}
