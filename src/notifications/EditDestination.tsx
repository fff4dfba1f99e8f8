import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createDestination,
  DESTINATION_KINDS,
  DESTINATION_NAME_MAX,
  listDestinations,
  updateDestination,
  type Destination,
} from '#contract/notifications.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { useMembersChange } from '../members/queries.ts';
import { Choice } from '../ui/Choice.tsx';
import { announce } from '../ui/page/announce.ts';
import { findTextError, useForm } from '../ui/useForm.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Notifications.module.css';
import { fieldMessages } from './fieldMessages.ts';
import { allDestinationsQuery } from './queries.ts';
import { draftRules, findDomainsError, FIRST_RULES, toRules } from './ruleDrafts.ts';
import { RuleFields } from './RuleFields.tsx';
import { Secret } from './Secret.tsx';

const KINDS = [
  { value: 'webhook', label: 'Webhook' },
  { value: 'mail', label: 'Mail' },
] as const;

const FIELDS = ['kind', 'name', 'address', 'fallback'] as const;

type CreateProps = { onClose: () => void; onCreated: (uuid: string) => void };

/** Creates a destination. A webhook's secret is shown once. */
export function CreateDestination({ onClose, onCreated }: CreateProps) {
  const form = useDestinationForm({ kind: 'webhook', name: '', address: '', fallback: '' }, FIRST_RULES);
  const create = useMembersChange([listDestinations], (body: Body) => request(createDestination, { body }));
  const created = create.data?.data;
  if (created !== undefined && created.secret !== null) {
    const { destination, secret } = created;
    return <Secret name={destination.name} secret={secret} onClose={() => onCreated(destination.uuid)} />;
  }
  const { values, set, field } = form;
  const kind = DESTINATION_KINDS.find((one) => one === values.kind) ?? 'webhook';
  const body = { ...form.body, kind, address: values.address.trim() };
  return (
    <FormDialog
      title="Create a destination"
      act="Create"
      call={form.callOf(create)}
      curl={<CopyCurl endpoint={createDestination} input={form.isValid ? { body } : null} />}
      onSubmit={() =>
        form.submit(() =>
          create.mutate(body, {
            onError: form.showErrors,
            onSuccess: ({ data: { destination, secret } }) => {
              if (secret !== null) return;
              announce('Destination created');
              onCreated(destination.uuid);
            },
          }),
        )
      }
      onClose={onClose}
    >
      <div className={classes.field}>
        <span>Kind</span>
        <Choice label="Kind" value={kind} choices={KINDS} onChange={(chosen) => set('kind', chosen)} />
      </div>
      <NameField {...field('name')} />
      <TextInput
        label={kind === 'webhook' ? 'URL' : 'Mail address'}
        description={
          kind === 'webhook'
            ? 'Starts with https:// and has a public address. You get a secret to verify its messages.'
            : 'Not one below a domain that is checked here: its mail may be what fails.'
        }
        required
        type={kind === 'webhook' ? 'url' : 'email'}
        autoComplete="off"
        spellCheck={false}
        {...field('address')}
      />
      {form.rest}
    </FormDialog>
  );
}

type EditProps = { destination: Destination; onClose: () => void };

export function EditDestination({ destination, onClose }: EditProps) {
  const { uuid, kind, name, address, rules, fallback } = destination;
  const form = useDestinationForm({ kind, name, address, fallback: fallback ?? '' }, draftRules(rules), uuid);
  const update = useMembersChange([listDestinations], (body: Changes) =>
    request(updateDestination, { destination: uuid, body }),
  );
  return (
    <FormDialog
      title={
        <>
          Edit <UntrustedText text={name} />
        </>
      }
      act="Save"
      call={form.callOf(update)}
      curl={
        <CopyCurl endpoint={updateDestination} input={form.isValid ? { destination: uuid, body: form.body } : null} />
      }
      onSubmit={() =>
        form.submit(() =>
          update.mutate(form.body, {
            onError: form.showErrors,
            onSuccess: () => {
              onClose();
              announce('Saved');
            },
          }),
        )
      }
      onClose={onClose}
    >
      <NameField {...form.field('name')} />
      {form.rest}
    </FormDialog>
  );
}

function NameField(field: { value: string; error: string | undefined; onChange: (event: InputEvent) => void }) {
  return (
    <TextInput
      label="Name"
      description="For example “On-call” or “CRM adapter”. Shown in the log."
      required
      autoComplete="off"
      {...field}
    />
  );
}

type InputEvent = React.ChangeEvent<HTMLInputElement>;
type Values = { kind: string; name: string; address: string; fallback: string };
type Changes = { name: string; rules: ReturnType<typeof toRules>; fallback: string | null };
type Body = Changes & { kind: (typeof DESTINATION_KINDS)[number]; address: string };

/** What both dialogs have. `own` is the edited destination, which can't be its own fallback. */
function useDestinationForm(initial: Values, initialRules: typeof FIRST_RULES, own?: string) {
  const { values, isValid, field, set, setErrors, submit } = useForm(initial, validate);
  const [rules, setRules] = useState(initialRules);
  const [isChecked, setChecked] = useState(false);
  const hasValidRules = rules.incidents.every(({ domains }) => findDomainsError(domains) === undefined);
  const body: Changes = {
    name: values.name.trim(),
    rules: toRules(rules),
    fallback: values.fallback === '' ? null : values.fallback,
  };
  return {
    values,
    set,
    field,
    body,
    isValid: isValid && hasValidRules,
    submit: (send: () => void) => {
      setChecked(true);
      submit(() => hasValidRules && send());
    },
    showErrors: (error: unknown) => setErrors(fieldMessages(error, FIELDS) ?? {}),
    /** Without an error that is next to its field. */
    callOf: (call: { isPending: boolean; error: unknown }) =>
      fieldMessages(call.error, FIELDS) === null ? call : { ...call, error: null },
    rest: (
      <>
        <RuleFields rules={rules} isChecked={isChecked} onChange={setRules} />
        <Fallback own={own} {...field('fallback')} onChange={(event) => set('fallback', event.currentTarget.value)} />
      </>
    ),
  };
}

type FallbackProps = {
  own: string | undefined;
  value: string;
  error: string | undefined;
  onChange: (event: React.ChangeEvent<HTMLSelectElement>) => void;
};

function Fallback({ own, ...field }: FallbackProps) {
  const { data: all } = useQuery(allDestinationsQuery);
  const others = (all?.data ?? []).filter(({ uuid }) => uuid !== own);
  // While the list loads, the chosen one has no name yet.
  const isListed = field.value === '' || others.some(({ uuid }) => uuid === field.value);
  return (
    <NativeSelect
      label="Fallback"
      description="Gets what can’t be delivered here within a day, and everything while this destination is off."
      data={[
        { value: '', label: 'None' },
        ...(isListed ? [] : [{ value: field.value, label: field.value }]),
        ...others.map(({ uuid, name }) => ({ value: uuid, label: name })),
      ]}
      {...field}
    />
  );
}

const validate = ({ kind, name, address }: Values) => ({
  name: findTextError(name, DESTINATION_NAME_MAX, 'Enter a name.'),
  address: findAddressError(kind, address.trim()),
});

function findAddressError(kind: string, address: string): string | undefined {
  if (kind === 'webhook') {
    const url = URL.parse(address);
    return url !== null && /^https?:$/.test(url.protocol)
      ? undefined
      : 'Enter a URL like https://hooks.example.com/dns.';
  }
  return /^[^\s@]+@[^\s@]+$/.test(address) ? undefined : 'Enter an email address like jo@example.com.';
}
