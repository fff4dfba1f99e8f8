import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, type ClipboardEvent } from 'react';
import { Link } from 'react-router';
import type { ReadableContact } from '#contract/contact.ts';
import { usePageActions } from '../ui/actions.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { personAddress, personName } from '../contact/person.ts';
import type { NamedIdentity } from '../contact/readSearch.ts';
import { Form } from '../ui/Form.tsx';
import { formatCount } from '../ui/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { paths } from '../url/paths.ts';
import { DidYouMean } from './DidYouMean.tsx';
import classes from './FindBox.module.css';
import { Subscription } from './Subscription.tsx';
import { useFinder, type FinderOptions } from './useFinder.ts';

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
      {reading.kind === 'people' && (
        <People people={reading.people} onChoose={({ identity }) => search.mutate(identity)} />
      )}
      {search.isError && <ErrorAlert error={search.error} />}
      {search.data === null && !(filters && reading.kind === 'words') && (
        <Notice tone="warn" title="There is no such contact in this workspace">
          <UntrustedText text={`It was looked up as ${search.variables.values.join(' and ')}.`} /> Check the spelling:
          nothing was changed.
          {search.variables.kind === 'email' && <DidYouMean address={search.variables.values[0] ?? ''} onOpen={open} />}
        </Notice>
      )}
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

/** Of more people, nobody is chosen in a box for one. */
const PEOPLE_MAX = 10;

type PeopleProps = { people: readonly NamedIdentity[]; onChoose: (person: NamedIdentity) => void };

function People({ people, onChoose }: PeopleProps) {
  const rest = people.length - PEOPLE_MAX;
  return (
    <ul className={classes.people} aria-label="People in this text">
      {people.slice(0, PEOPLE_MAX).map((person) => (
        <li key={person.identity.values[0]}>
          <Button size="xs" variant="default" onClick={() => onChoose(person)}>
            <UntrustedText text={person.identity.values[0] ?? person.text} />
          </Button>
        </li>
      ))}
      {rest > 0 && <li>and {formatCount(rest)} more. Bulk unsubscribe reads whole lists.</li>}
    </ul>
  );
}
