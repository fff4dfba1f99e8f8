import { useState } from 'react';
import { useLocation } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import { isAttribute, SEARCH_MAX } from '#contract/list.ts';
import { searchWordsOf } from '../identity/parse/readSearch.ts';
import { type ListOptions, type ListState, parseSort, useListState, type ListControl } from '../table/useList.ts';
import { OPENED_VIEW } from '../url/paths.ts';
import { useUrlQuery } from '../url/urlState.ts';

export const CONTACT_LIST: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listContacts.list.sortable,
  filters: listContacts.list.filters,
  texts: listContacts.list.texts,
};

const NOTHING = { text: '', search: '' };

export type ContactFilter = {
  text: string;
  state: ListState;
  /** Filters by `text`, or by `search` if the text is personal data, which stays out of the URL. */
  apply: (text: string, search: string | null) => void;
  /** Adds conditions to those of the URL. */
  add: (conditions: string) => void;
};

/** Words are in the URL. An identity is personal data, so it's kept in memory (`isPersonal`). */
export function useContactFilter(): { list: ListControl; filter: ContactFilter; isPersonal: boolean } {
  const [query] = useUrlQuery();
  const { id } = parseSort(query.get('sort') ?? '');
  const list = useListState({
    ...CONTACT_LIST,
    sortable: [...CONTACT_LIST.sortable, ...(isAttribute(id) ? [id] : [])],
  });
  const [unwritten, setUnwritten] = useState(NOTHING);
  const { key, state: opened } = useLocation();
  const [view, setView] = useState(key);
  // A saved view lists what it says, also while an identity is searched for.
  if (opened === OPENED_VIEW && view !== key) {
    setView(key);
    setUnwritten(NOTHING);
  }
  const { search } = list.state;
  const change: ListControl['change'] = (change, how) => {
    // Not with other words: the box would be empty until the router has put them into the URL.
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
  const add = (conditions: string) => {
    const { filter } = list.state.filters;
    list.filter({ filter: filter === undefined ? conditions : `${filter} ${conditions}` });
  };
  // A search in the URL comes first: Back may lead to one.
  const [text, words] = search === '' ? [unwritten.text, unwritten.search] : [search, search];
  const state = { ...list.state, search: searchWordsOf(words) };
  const isPersonal = search === '' && words !== '';
  return { list: { ...list, state, change, typed: text }, filter: { text, state, apply, add }, isPersonal };
}
