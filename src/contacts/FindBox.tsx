import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useRef, type ClipboardEvent } from 'react';
import { Link } from 'react-router';
import type { ReadableContact } from '#contract/contact.ts';
import { usePageActions } from '../ui/actions.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { personAddress, personName } from '../contact/person.ts';
import { Form } from '../ui/Form.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { paths } from '../url/paths.ts';
import classes from './FindBox.module.css';
import { Subscription } from './Subscription.tsx';
import { useFinder, type FinderOptions } from './useFinder.ts';

// Loaded when somebody is not found at once.
const People = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).People }));
const NotFound = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).NotFound }));

/** One box for whatever names a contact. It says how the text reads before a request is sent. */
export function FindBox(options: FinderOptions) {
  const { text, reading, hint, refused, offer, search, type, clear, submit, open } = useFinder(options);
  const box = useRef<HTMLInputElement>(null);
  const filters = options.filter !== undefined;
  usePageActions([{ id: 'look-up', label: 'Find a contact', run: () => box.current?.focus() }]);
  return (
    <Form className={classes.finder} onSubmit={submit} role="search" aria-label="Find a contact">
      <div className={classes.line}>
        <TextInput
          ref={box}
          type="search"
          className={classes.box}
          size="md"
          aria-label={filters ? 'Name, email, phone or ID' : 'Email, phone or ID'}
          placeholder={filters ? 'Grace Adeyemi, jane@example.com, +44 20 …' : 'jane@example.com, +44 20 …'}
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={clear} />}
          value={text}
          error={refused !== null}
          onChange={(event) => type(event.currentTarget.value)}
          onPaste={(event) => pasteLines(event, type)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') clear();
          }}
          autoComplete="off"
          spellCheck={false}
          aria-describedby="find-reading"
        />
        <Button type="submit" size="md" loading={search.isPending}>
          Find
        </Button>
      </div>
      <div id="find-reading" className={classes.reading} data-fault={refused !== null || undefined} aria-live="polite">
        {offer?.record ? <Offer record={offer.record} /> : <UntrustedText text={refused ?? hint} />}
      </div>
      {search.isError && <ErrorAlert error={search.error} />}
      <Suspense>
        {reading.kind === 'people' && offer === null && (
          <People people={reading.people} onChoose={({ identity }) => search.mutate(identity)} />
        )}
        {search.data === null && !(filters && reading.kind === 'words') && (
          <NotFound identity={search.variables} list={options.filter?.state} onOpen={open} />
        )}
      </Suspense>
    </Form>
  );
}

/** Inserts pasted lines with separators between them: a field of one line would join them. */
function pasteLines(event: ClipboardEvent<HTMLInputElement>, type: (text: string) => void): void {
  const pasted = event.clipboardData.getData('text/plain').trim();
  if (!/[\r\n]/.test(pasted)) return;
  event.preventDefault();
  const field = event.currentTarget;
  const lines = pasted.split(/[\r\n]+/).map((line) => line.trim());
  field.setRangeText(lines.join('; '), field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  type(field.value);
}

/** The contact that Enter opens. */
function Offer({ record }: { record: ReadableContact }) {
  const [name, address] = [personName(record), personAddress(record)];
  return (
    <span className={classes.offer}>
      <Link to={paths.contact(record.uuid)}>
        Open <UntrustedText text={name} />
      </Link>
      {address !== name && <UntrustedText text={address} />}
      <Subscription subscribed={record.subscribed} />
      <kbd>Enter</kbd>
    </span>
  );
}
