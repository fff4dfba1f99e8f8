import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createEventRule, EVENT_NAME_MAX, listEventRules } from '#contract/suppressions/eventRules.ts';
import { SUPPRESSION_REASONS, type SuppressionReason } from '#contract/suppressions/suppression.ts';
import { apiQuery, readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { Rule } from './EventRule.tsx';
import { eventNamesQuery, type PreviewedEvents, previewQuery, RulePreview } from './RulePreview.tsx';
import { describeReason, reasonOfEvent } from './words.ts';
import classes from './Suppressions.module.css';

const REASONS = SUPPRESSION_REASONS.map((value) => ({ value, label: describeReason(value) }));

/** For admins: which events unsubscribe. */
export function EventRules() {
  const [isOpen, setOpen] = useState(false);
  const isOffered = useCapability(createEventRule);
  const denied = useMissingRole(createEventRule);
  if (!isOffered || denied !== null) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Rules
      </Button>
      {isOpen && <RulesDialog onClose={() => setOpen(false)} />}
    </>
  );
}

type Values = { event: string; attribute: string; value: string; reason: string };

const reasonOf = ({ event, reason }: Values) => reason || reasonOfEvent(event) || '';

const validate = (values: Values) => ({
  ...validateEvent(values),
  reason: reasonOf(values) === '' ? 'Say why these events unsubscribe.' : undefined,
});

const validateEvent = ({ event, attribute, value }: Values) => ({
  event: findTextError(event, EVENT_NAME_MAX, 'Enter the name of an event, such as email_complained.'),
  attribute: findTextError(
    attribute,
    EVENT_NAME_MAX,
    value.trim() === '' ? undefined : 'Enter the attribute, too: a condition needs both.',
  ),
  value: findTextError(
    value,
    EVENT_NAME_MAX,
    attribute.trim() === '' ? undefined : 'Enter the value, too: a condition needs both.',
  ),
});

function isWhole(values: Values): boolean {
  const { event, attribute, value } = validateEvent(values);
  return (event ?? attribute ?? value) === undefined;
}

function RulesDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm<Values>({ event: '', attribute: '', value: '', reason: '' }, validate);
  const { values, submit, set } = form;
  const [previewed, setPreviewed] = useState<PreviewedEvents | null>(null);
  const preview = (given: Values) => setPreviewed(isWhole(given) ? toEvents(given) : null);
  // Not of what the fields had before.
  const isPreviewed =
    previewed !== null && isWhole(values) && JSON.stringify(previewed) === JSON.stringify(toEvents(values));
  const { attribute, value } = validateEvent(values);
  const incomplete = attribute ?? value;
  /** The events that were looked at before their rule, and that somebody has to look at. */
  const [held, setHeld] = useState<string | null>(null);
  const isHeld = isPreviewed && held === JSON.stringify(previewed);
  const create = useMutation({
    mutationFn: async (given: Values) => {
      const events = toEvents(given);
      setPreviewed(events);
      if (!(isPreviewed && isShown(client, events)) && (await isDoubtful(client, events))) {
        setHeld(JSON.stringify(events));
        return null;
      }
      return request(createEventRule, { body: toBody(given) });
    },
    onSuccess: async (created) => {
      if (created === null) return;
      announce(`Events ${values.event.trim()} now unsubscribe`);
      set('event', '');
      set('reason', '');
      setPreviewed(null);
      await readAgain(client, listEventRules);
    },
  });
  return (
    <FormDialog
      title="Events that unsubscribe"
      act="Add rule"
      cancel="Close"
      call={create}
      onSubmit={() => submit((given) => create.mutate(given))}
      onClose={onClose}
    >
      <p className="soft">From the moment you add a rule, each new event of this name unsubscribes its contact.</p>
      <KnownRules />
      <RuleFields form={form} onLeave={preview} />
      {incomplete !== undefined && <p className="soft">{incomplete}</p>}
      {isPreviewed && (
        <RulePreview
          rule={previewed}
          onChoose={(chosen) => {
            for (const [name, text] of Object.entries(chosen)) set(name as keyof Values, text);
            preview({ ...values, ...chosen });
          }}
        />
      )}
      {isHeld && <p role="status">The rule isn’t added yet. Choose Add rule again to add it as it is.</p>}
    </FormDialog>
  );
}

/** Whether somebody sees what the rule would have done. */
const isShown = (client: QueryClient, rule: PreviewedEvents) =>
  [previewQuery(rule), eventNamesQuery].every(({ queryKey }) => client.getQueryData(queryKey) !== undefined);

/** Whether no event is like those of the rule: a misspelt one would wait for ever. */
async function isDoubtful(client: QueryClient, rule: PreviewedEvents): Promise<boolean> {
  const [preview, names] = await Promise.all([client.query(previewQuery(rule)), client.query(eventNamesQuery)]);
  return !names.data.includes(rule.event_name) || (rule.condition !== null && preview.data.contacts === 0);
}

function KnownRules() {
  const rules = useQuery(apiQuery(listEventRules, {}));
  return (
    <>
      {rules.isPending && <p className="soft">Loading rules …</p>}
      {rules.error !== null && <ErrorAlert error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.data?.data.length === 0 && <p>No event unsubscribes yet.</p>}
      {rules.data !== undefined && rules.data.data.length > 0 && (
        <ul className={classes.rules} aria-label="Rules">
          {rules.data.data.map((rule) => (
            <Rule key={rule.uuid} rule={rule} />
          ))}
        </ul>
      )}
    </>
  );
}

type FieldsProps = { form: ReturnType<typeof useForm<Values>>; onLeave: (values: Values) => void };

function RuleFields({ form: { values, field, set }, onLeave }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Event"
        required
        autoComplete="off"
        spellCheck={false}
        {...field('event')}
        onBlur={() => onLeave(values)}
      />
      <div className={classes.condition}>
        <TextInput
          label="Only with attribute (optional)"
          autoComplete="off"
          spellCheck={false}
          {...field('attribute')}
          onBlur={() => onLeave(values)}
        />
        <TextInput
          label="Value"
          autoComplete="off"
          spellCheck={false}
          {...field('value')}
          onBlur={() => onLeave(values)}
        />
      </div>
      <NativeSelect
        label="Reason"
        required
        value={reasonOf(values)}
        data={reasonOf(values) === '' ? [{ value: '', label: 'Choose …' }, ...REASONS] : REASONS}
        error={field('reason').error}
        onChange={(event) => set('reason', event.currentTarget.value)}
      />
    </>
  );
}

const toEvents = ({ event, attribute, value }: Values): PreviewedEvents => ({
  event_name: event.trim(),
  condition: attribute.trim() === '' ? null : { attribute: attribute.trim(), value: value.trim() },
});

const toBody = (values: Values) => ({ ...toEvents(values), reason: reasonOf(values) as SuppressionReason });
