import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listEventNames } from '#contract/eventNames.ts';
import type { EndpointInput } from '#contract/openapi/endpoint.ts';
import { EXAMINED_MAX, previewEventRule, type RulePreview as Preview } from '#contract/suppressions/eventRules.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { findSimilarNames } from '../filter/findSimilarNames.ts';

export type PreviewedEvents = EndpointInput<typeof previewEventRule>['body'];

export const previewQuery = (rule: PreviewedEvents) => apiQuery(previewEventRule, { body: rule });
export const eventNamesQuery = apiQuery(listEventNames, {});

type Choose = (chosen: { event: string } | { attribute: string } | { value: string }) => void;
type Props = { rule: PreviewedEvents; onChoose: Choose };

/** What the rule would have done in the past: it does nothing of it. */
export function RulePreview({ rule, onChoose }: Props) {
  const { data, error, isPending, refetch } = useQuery(previewQuery(rule));
  const known = useQuery(eventNamesQuery);
  if (isPending || known.isPending) return <p className="soft">Counting who had this event …</p>;
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const { contacts, is_complete } = data.data;
  if (known.data !== undefined && !known.data.data.includes(rule.event_name)) {
    const names = findSimilarNames(known.data.data, rule.event_name);
    return (
      <Notice
        tone="warn"
        title={`No event called ${rule.event_name} has arrived yet`}
        actions={<Choices texts={names} onChoose={(event) => onChoose({ event })} />}
      >
        {names.length > 0
          ? 'Names are compared with letter case. Did you mean one of these?'
          : 'Names are compared with letter case. The rule waits for the first one.'}
      </Notice>
    );
  }
  if (rule.condition !== null && contacts === 0)
    return <Unmatched condition={rule.condition} preview={data.data} onChoose={onChoose} />;
  const had = contacts === 1 ? '1 subscribed contact has' : `${formatCount(contacts)} subscribed contacts have`;
  return (
    <p>
      {is_complete ? had : `At least ${had}`} had{' '}
      {rule.condition === null ? 'this event' : 'this event with this value'}. They stay subscribed: unsubscribe them in
      bulk if you want that too.
    </p>
  );
}

function Choices({ texts, onChoose }: { texts: readonly string[]; onChoose: (text: string) => void }) {
  return texts.map((text) => (
    <Button key={text} size="xs" variant="default" onClick={() => onChoose(text)}>
      <UntrustedText text={text} />
    </Button>
  ));
}

const CHOICES_MAX = 6;

type UnmatchedProps = {
  condition: NonNullable<PreviewedEvents['condition']>;
  preview: Preview;
  onChoose: Choose;
};

/** What the events have instead of the attribute or its value: a misspelt one would wait for ever. */
function Unmatched({ condition: { attribute, value }, preview, onChoose }: UnmatchedProps) {
  const { attributes, values, is_complete } = preview;
  const none = is_complete ? 'No such event' : `None of the first ${formatCount(EXAMINED_MAX)} such events`;
  const compared = 'Compared with events of subscribed contacts.';
  if (attributes.length === 0) return <p>No such event of a subscribed contact has attributes to compare with.</p>;
  if (!attributes.includes(attribute)) {
    const names = [...new Set([...findSimilarNames(attributes, attribute), ...attributes])].slice(0, CHOICES_MAX);
    return (
      <Notice
        tone="warn"
        title={`${none} has had the attribute ${attribute}`}
        actions={<Choices texts={names} onChoose={(name) => onChoose({ attribute: name })} />}
      >
        {compared} Names are compared with letter case. They have these:
      </Notice>
    );
  }
  return (
    <Notice
      tone="warn"
      title={`${none} has had ${attribute} ${value}`}
      actions={<Choices texts={values.slice(0, CHOICES_MAX)} onChoose={(text) => onChoose({ value: text })} />}
    >
      {compared} {values.length > 0 ? 'These values have been seen:' : 'Its values are too long to list.'}
    </Notice>
  );
}
