import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listEventNames } from '#contract/eventNames.ts';
import type { EndpointInput } from '#contract/openapi/endpoint.ts';
import { previewEventRule } from '#contract/suppressions/eventRules.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { findSimilarNames } from '../filter/findSimilarNames.ts';

export type PreviewedEvents = EndpointInput<typeof previewEventRule>['body'];

type Props = { rule: PreviewedEvents; onChoose: (event: string) => void };

/** What the rule would have done in the past: it does nothing of it. */
export function RulePreview({ rule, onChoose }: Props) {
  const { data, error, isPending, refetch } = useQuery(apiQuery(previewEventRule, { body: rule }));
  const known = useQuery(apiQuery(listEventNames, {}));
  if (isPending || known.isPending) return <p className="soft">Counting who had this event …</p>;
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const { contacts, is_complete } = data.data;
  if (known.data !== undefined && !known.data.data.includes(rule.event_name)) {
    const names = findSimilarNames(known.data.data, rule.event_name);
    return (
      <Notice
        tone="warn"
        title={`No event called ${rule.event_name} has arrived yet`}
        actions={names.map((name) => (
          <Button key={name} size="xs" variant="default" onClick={() => onChoose(name)}>
            <UntrustedText text={name} />
          </Button>
        ))}
      >
        {names.length > 0
          ? 'Names are compared with letter case. Did you mean one of these?'
          : 'Names are compared with letter case. The rule waits for the first one.'}
      </Notice>
    );
  }
  const had = contacts === 1 ? '1 subscribed contact has' : `${formatCount(contacts)} subscribed contacts have`;
  return (
    <p>
      {is_complete ? had : `At least ${had}`} had{' '}
      {rule.condition === null ? 'this event' : 'this event with this value'}. They stay subscribed: unsubscribe them in
      bulk if you want that too.
    </p>
  );
}
