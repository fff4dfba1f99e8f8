import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { parseFilter } from '#contract/contactFilter.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import classes from './FilterChips.module.css';

type Props = { filter: string; onChange: (filter: string | null) => void };

/** The conditions of a filter, each with a button that removes it. */
export function FilterChips({ filter, onChange }: Props) {
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
