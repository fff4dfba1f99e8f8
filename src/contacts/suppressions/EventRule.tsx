import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listEventRules, type ReadableEventRule, removeEventRule } from '#contract/suppressions/eventRules.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { announce } from '../../ui/page/announce.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { describeReason } from './words.ts';

/** Removing a rule can't be undone for what arrives meanwhile, so it asks. */
export function Rule({ rule }: { rule: ReadableEventRule }) {
  const { uuid, condition, reason, created_at } = rule;
  const client = useQueryClient();
  const name = rule.event_name ?? '';
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => request(removeEventRule, { rule: uuid }),
    onSuccess: () => {
      announce(`Events ${name} no longer unsubscribe`);
      return readAgain(client, listEventRules);
    },
  });
  return (
    <li>
      <span>
        <UntrustedText text={name} />
        {condition !== null && (
          <span className="soft">
            {' '}
            with <UntrustedText text={condition.attribute} /> <UntrustedText text={condition.value} />
          </span>
        )}
        <span className="soft">
          {' '}
          · {describeReason(reason)} · since <DateTime value={created_at} />
        </span>
        {isAsking && (
          <span role="status"> Remove it? Events that arrive without the rule unsubscribe nobody later.</span>
        )}
        {remove.error !== null && <ErrorAlert error={remove.error} />}
      </span>
      {isAsking && (
        <Button
          size="compact-sm"
          color="red"
          aria-label={`Remove the rule for ${name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Remove
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`${isAsking ? 'Keep' : 'Remove'} the rule for ${name}${isAsking ? '' : ' …'}`}
        onClick={() => setAsking(!isAsking)}
      >
        {isAsking ? 'Keep' : 'Remove…'}
      </Button>
    </li>
  );
}
