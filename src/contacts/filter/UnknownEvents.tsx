import { useQuery } from '@tanstack/react-query';
import { listEventNames } from '#contract/eventNames.ts';
import { parseFilter, quoteValue } from '#contract/contactFilter.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { useCapability } from '../../session/useSession.ts';
import type { ListControl } from '../../table/useList.ts';
import { findSimilarNames } from './findSimilarNames.ts';
import { UnknownName } from './UnknownName.tsx';

type Props = { list: ListControl; isNegated?: boolean };

/** The events that nobody ever had in a filter that no contact meets, or negated in one that everybody does, and what they are perhaps called. */
export function UnknownEvents({ list, isNegated = false }: Props) {
  const { filter } = list.state.filters;
  const { terms } = parseFilter(typeof filter === 'string' ? filter : '');
  const asked = terms
    .filter((term) => term.isNegated === isNegated)
    .flatMap(({ text, condition }) => (condition.kind === 'event' ? [{ text, ...condition }] : []));
  const isAsked = useCapability(listEventNames) && asked.length > 0;
  const { data } = useQuery({ ...apiQuery(listEventNames, {}), enabled: isAsked });
  if (data === undefined || typeof filter !== 'string') return null;
  return asked
    .filter(({ name }) => !data.data.includes(name))
    .map(({ text, name }) => (
      <UnknownName
        key={text}
        title="No event is named"
        name={name}
        similar={findSimilarNames(data.data, name)}
        onChoose={(similar) => list.filter({ filter: filter.replace(text, () => rename(text, similar)) })}
      />
    ));
}

/** A condition with another event; `within` stays. */
function rename(text: string, name: string): string {
  const within = / within[ :]\d+d$/.exec(text)?.[0] ?? '';
  return `${text.startsWith('-') ? '-' : ''}event:${quoteValue(name)}${within}`;
}
