import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listEventNames } from '#contract/eventNames.ts';
import { parseFilter, quoteValue } from '#contract/contactFilter.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { useCapability } from '../../session/useSession.ts';
import type { ListControl } from '../../table/useList.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { findSimilarNames } from './findSimilarNames.ts';

/** Where no contact meets a filter: the events in it that nobody ever had, and what they are perhaps called. */
export function UnknownEvents({ list }: { list: ListControl }) {
  const { filter } = list.state.filters;
  const { terms } = parseFilter(typeof filter === 'string' ? filter : '');
  const asked = terms.flatMap(({ text, condition }) => (condition.kind === 'event' ? [{ text, ...condition }] : []));
  const isAsked = useCapability(listEventNames) && asked.length > 0;
  const { data } = useQuery({ ...apiQuery(listEventNames, {}), enabled: isAsked });
  if (data === undefined || typeof filter !== 'string') return null;
  return asked
    .filter(({ name }) => !data.data.includes(name))
    .map(({ text, name }) => (
      <span key={text}>
        No event is named <UntrustedText text={name} />.{' '}
        {findSimilarNames(data.data, name).map((similar) => (
          <Button
            key={similar}
            ref={refocusOnRemoval}
            variant="default"
            size="xs"
            mr={8}
            onClick={() => list.filter({ filter: filter.replace(text, () => rename(text, similar)) })}
          >
            <span>
              Use <UntrustedText text={similar} />
            </span>
          </Button>
        ))}
      </span>
    ));
}

/** A condition with another event; `within` stays. */
function rename(text: string, name: string): string {
  const within = / within[ :]\d+d$/.exec(text)?.[0] ?? '';
  return `${text.startsWith('-') ? '-' : ''}event:${quoteValue(name)}${within}`;
}
