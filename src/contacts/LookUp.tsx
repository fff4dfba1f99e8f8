import { Button, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { usePageActions } from '../ui/actions.ts';
import { Form } from '../ui/Form.tsx';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './LookUp.module.css';
import { useLookUp, type LookUpOptions } from './useLookUp.ts';

/** One box for any identity of a contact; says how the text was read before a request is sent. */
export function LookUp(options: LookUpOptions) {
  const { field, identity, hint, search, submit } = useLookUp(options);
  const box = useRef<HTMLInputElement>(null);
  usePageActions([{ id: 'look-up', label: 'Look up a contact', run: () => box.current?.focus() }]);
  return (
    <Form className={classes.lookUp} onSubmit={submit} role="search" aria-label="Find a contact">
      <div className={classes.line}>
        <TextInput
          ref={box}
          className={classes.box}
          size="md"
          aria-label="Contact to look up"
          placeholder="jane@example.com, Jane <jane@example.com>, +44 20 …"
          {...field}
          autoComplete="off"
          spellCheck={false}
          aria-describedby="look-up-reading"
        />
        <Button type="submit" size="md" loading={search.isPending}>
          Look up
        </Button>
      </div>
      <p id="look-up-reading" className={classes.reading} data-fault={field.error || undefined} aria-live="polite">
        <UntrustedText text={hint} />
      </p>
      {search.isError && <ErrorAlert error={search.error} />}
      {search.data === null && (
        <Notice tone="warn" title="There is no such contact in this workspace">
          {identity.ok && <UntrustedText text={`It was looked up as ${identity.values.join(' and ')}.`} />} Check the
          spelling: nobody was changed or unsubscribed.
        </Notice>
      )}
    </Form>
  );
}
