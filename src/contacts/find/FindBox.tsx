import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState, type ClipboardEvent, type ReactNode, lazy, Suspense } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { describeField, type IdentityField } from '../../identity/parse/parseIdentity.ts';
import { personAddress, personName } from '../../identity/person.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { useSearchText } from '../../table/useSearchText.ts';
import { Form } from '../../ui/Form.tsx';
import { usePageActions } from '../../ui/page/actions.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { Subscription } from '../unsubscribe/Subscription.tsx';
import type { ContactFilter } from '../useContactFilter.ts';
import classes from './FindBox.module.css';
import { findPersonalSearch, useFinder } from './useFinder.ts';

type Props = {
  initial?: string;
  /** Looks `initial` up on mount, without a submit. */
  atOnce?: boolean;
  onFound?: (contact: string) => void;
  /** The list that the text filters. Without it, words are looked up as an identity. */
  filter?: ContactFilter | undefined;
  ifNobody?: ReactNode;
};

export function FindBox({ initial, atOnce = false, onFound, filter, ifNobody }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const identityField = useIdentityField();
  const [isSubmitted, setSubmitted] = useState(atOnce);
  const searched = filter?.text ?? '';
  const write = (value: string) => filter?.apply(value, findPersonalSearch(value, identityField));
  const { text, setText, commit, clear } = useSearchText(searched, write, initial);
  const found = useFinder({ text, isSubmitted, atOnce, onFound, filter });
  const { search, refused } = found;
  usePageActions([{ id: 'look-up', label: 'Find a contact', run: () => box.current?.focus() }]);

  const type = (value: string) => {
    setText(value);
    setSubmitted(false);
  };
  const empty = () => {
    clear();
    setSubmitted(false);
    // The button that had the focus disappears.
    box.current?.focus();
  };
  const submit = () => {
    commit();
    setSubmitted(true);
    found.submit();
  };
  const filters = filter !== undefined;
  return (
    <>
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
            rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={empty} />}
            value={text}
            error={!search.isPending && refused !== null}
            onChange={(event) => type(event.currentTarget.value)}
            onPaste={(event) => pasteLines(event, type)}
            onKeyDown={(event) => event.key === 'Escape' && empty()}
            autoComplete="off"
            spellCheck={false}
            aria-describedby="find-reading"
          />
          <Button type="submit" size="md" loading={search.isPending}>
            Find
          </Button>
        </div>
        <Reading text={text} hint={describeInput(identityField, filters)} filter={filter} found={found} />
      </Form>
      {/* Not in the form, because it may have one of its own. */}
      {search.data === null && refused === null && ifNobody}
    </>
  );
}

function describeInput(identityField: IdentityField, isFiltering: boolean): string {
  const id = identityField === undefined ? 'ID' : identityField === null ? '' : describeField(identityField);
  return [...(isFiltering ? ['Name', 'email'] : ['Email']), 'phone', 'UUID', id].filter(Boolean).join(', ');
}

/** Separates pasted lines: a one-line field would join them. */
function pasteLines(event: ClipboardEvent<HTMLInputElement>, type: (text: string) => void): void {
  const pasted = event.clipboardData.getData('text/plain').trim();
  if (!/[\r\n]/.test(pasted)) return;
  event.preventDefault();
  const field = event.currentTarget;
  const lines = pasted.split(/[\r\n]+/).map((line) => line.trim());
  field.setRangeText(lines.join('; '), field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  type(field.value);
}

const People = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).People }));
const NotFound = lazy(async () => ({ default: (await import('./FindOutcome.tsx')).NotFound }));

type ReadingProps = {
  text: string;
  hint: string;
  filter: ContactFilter | undefined;
  found: ReturnType<typeof useFinder>;
};

/** How the text reads before a request is sent, and what was found. `hint` is for no text. */
function Reading({ text, hint, filter, found }: ReadingProps) {
  const { reading, words, refused, offer, search, lookUp, open } = found;
  return (
    <>
      <div id="find-reading" className={classes.reading} data-fault={refused !== null || undefined} aria-live="polite">
        {offer?.record ? (
          <Offer record={offer.record} />
        ) : (
          <UntrustedText className={classes.words} text={refused ?? (text.trim() === '' ? hint : words)} />
        )}
      </div>
      {search.isError && <ErrorAlert error={search.error} />}
      <Suspense>
        {reading.kind === 'people' && offer === null && (
          <People people={reading.people} onChoose={({ identity }) => lookUp(identity)} />
        )}
        {search.data === null && !(filter !== undefined && reading.kind === 'words') && (
          <NotFound identity={search.variables} list={filter?.state} onOpen={open} />
        )}
      </Suspense>
    </>
  );
}

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
