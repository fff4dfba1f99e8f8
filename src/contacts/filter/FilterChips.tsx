import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReadableContact } from '#contract/contact.ts';
import { parseFilter } from '#contract/contactFilter.ts';
import type { ListControl } from '../../table/useList.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from './FilterChips.module.css';
import { UnknownAttributes } from './UnknownAttributes.tsx';
import { UnknownEvents } from './UnknownEvents.tsx';

type Props = {
  list: ListControl;
  filter: string;
  onChange: (filter: string | null) => void;
  /** The page of contacts that meet the filter. */
  contacts: readonly ReadableContact[] | undefined;
};

/** The conditions of a filter, each with a button that removes it, and what's perhaps misspelt in those that everybody meets. */
export function FilterChips({ list, filter, onChange, contacts }: Props) {
  return (
    <>
      <Chips filter={filter} onChange={onChange} />
      {contacts !== undefined && contacts.length > 0 && (
        <>
          <UnknownEvents list={list} isNegated />
          <UnknownAttributes list={list} contacts={contacts} />
        </>
      )}
    </>
  );
}

function Chips({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const { terms, errors } = parseFilter(filter);
  const parts = [...terms, ...errors].toSorted((one, other) => one.at - other.at);
  return (
    <ul className={classes.chips} aria-label="Conditions">
      {parts.map((part) => (
        <li key={part.at}>
          <Button
            ref={refocusOnRemoval}
            size="xs"
            variant="default"
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={`Remove the condition ${part.text}`}
            onClick={() => {
              const others = parts.filter((other) => other !== part);
              onChange(others.map(({ text }) => text).join(' ') || null);
            }}
          >
            <UntrustedText text={part.text} />
          </Button>
        </li>
      ))}
    </ul>
  );
}
