import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { getContact, getWorkspace } from '#contract/additions.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { paths } from '../paths.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { usePageActions } from '../ui/actions.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import classes from './LookUp.module.css';
import { findContact } from './queries.ts';
import { parseIdentity } from '../identity/parseIdentity.ts';

type Props = {
  initial?: string;
  /** Looks `initial` up without being asked to. */
  atOnce?: boolean;
  /** Takes what to address the contact by; its page is opened otherwise. */
  onFound?: (contact: string) => void;
};

/** One box for whatever somebody has of a person; says how it was read before anything is asked. */
export function LookUp({ initial = '', atOnce = false, onFound }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const session = useSession();
  const canRead = useCapability(getContact);
  const [text, setText] = useState(initial);
  const identityField = useCapability(getWorkspace) ? session.identity_field : undefined;
  const reading = parseIdentity(text, identityField);
  const [fault, setFault] = useState(atOnce && !reading.ok ? reading.fault : undefined);

  const search = useMutation({
    mutationFn: (values: string[]) => findContact(client, values, canRead),
    onSuccess: (contact) => {
      if (contact !== null) (onFound ?? ((found) => void navigate(paths.contact(found))))(contact);
    },
  });
  const box = useRef<HTMLInputElement>(null);
  usePageActions([{ id: 'look-up', label: 'Look up a contact', run: () => box.current?.focus() }]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reading.ok) return setFault(reading.fault);
    search.mutate(reading.values);
  };
  const type = (value: string) => {
    setText(value);
    setFault(undefined);
    search.reset();
  };
  const begin = useEffectEvent(() => {
    if (reading.ok) search.mutate(reading.values);
  });
  useEffect(() => {
    if (atOnce) begin();
  }, [atOnce]);
  const hint =
    text.trim() === ''
      ? `Email, phone, UUID${identityField ? ` or ${identityField}` : ''}`
      : reading.ok
        ? `Reads as ${reading.as}`
        : reading.fault;

  return (
    <form className={classes.lookUp} onSubmit={submit} role="search" aria-label="Find a contact">
      <div className={classes.line}>
        <TextInput
          ref={box}
          className={classes.box}
          size="md"
          aria-label="Contact to look up"
          placeholder="jane@example.com, Jane <jane@example.com>, +44 20 …"
          value={text}
          error={fault !== undefined}
          onChange={(event) => type(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          aria-describedby="look-up-reading"
        />
        <Button type="submit" size="md" loading={search.isPending}>
          Look up
        </Button>
      </div>
      <p
        id="look-up-reading"
        className={classes.reading}
        data-fault={fault !== undefined || undefined}
        aria-live="polite"
      >
        <UntrustedText text={hint} />
      </p>
      {search.isError && <ErrorAlert error={search.error} />}
      {search.data === null && (
        <Notice tone="warn" title="There is no such contact in this workspace">
          {reading.ok && <UntrustedText text={`It was looked up as ${reading.values.join(' and ')}.`} />} Check the
          spelling: nobody was changed or unsubscribed.
        </Notice>
      )}
    </form>
  );
}
