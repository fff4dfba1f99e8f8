import type { ReadableContact } from '#contract/contact.ts';
import { parseFilter, quoteName } from '#contract/contactFilter.ts';
import type { ListControl } from '../../table/useList.ts';
import { findSimilarNames } from './findSimilarNames.ts';
import { UnknownName } from './UnknownName.tsx';

const NAME = /^-(?:"(?:[^"]|"")*"|[^":]*):/;

type Props = { list: ListControl; contacts: readonly ReadableContact[] };

/** Negated conditions on attributes that none of `contacts` has, if they have one with a similar name: everybody meets a misspelt one. */
export function UnknownAttributes({ list, contacts }: Props) {
  const { filter } = list.state.filters;
  if (typeof filter !== 'string') return null;
  const names = [...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes ?? {})))];
  return parseFilter(filter).terms.flatMap(({ at, text, isNegated, condition }) => {
    if (!isNegated || (condition.kind !== 'equals' && condition.kind !== 'compares')) return [];
    const similar = names.includes(condition.name) ? [] : findSimilarNames(names, condition.name);
    const rename = (name: string) => text.replace(NAME, () => `-${quoteName(name)}:`);
    return similar.length === 0 ? (
      []
    ) : (
      <UnknownName
        key={at}
        title="No contact on this page has the attribute"
        name={condition.name}
        similar={similar}
        onChoose={(name) =>
          list.filter({ filter: filter.slice(0, at) + rename(name) + filter.slice(at + text.length) })
        }
      />
    );
  });
}
