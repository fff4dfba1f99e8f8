import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
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
  /** Shown instead of the box until that look-up has failed. */
  meanwhile?: ReactNode;
  heading?: ReactNode;
  onFound?: (contact: string) => void;
  /** The list that the text filters. Without it, words are looked up as an identity. */
  filter?: ContactFilter | undefined;
  ifNobody?: ReactNode;
};

export function FindBox({ ifNobody, meanwhile, heading, ...props }: Props) {
  const { filter } = props;
  const box = useRef<HTMLInputElement>(null);
  const identityField = useIdentityField();
  const { text, type, empty, submit, found, fault } = useFindText(props, identityField);
  const { search, refused } = found;
  usePageActions([{ id: 'look-up', label: 'Find a contact', run: () => box.current?.focus() }]);

  const clear = () => {
    empty();
    // The button that had the focus disappears.
    box.current?.focus();
  };
  const filters = filter !== undefined;
  if (meanwhile !== undefined && found.isFirstLookUp) return meanwhile;
  return (
    <>
      {heading}
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
            rightSection={text !== '' && <CloseButton size={24} aria-label="Clear the search" onClick={clear} />}
            value={text}
            error={fault !== null || (!search.isPending && refused !== null)}
            onChange={(event) => type(event.currentTarget.value)}
            onPaste={(event) => pasteLines(event, type)}
            onKeyDown={(event) => event.key === 'Escape' && clear()}
            autoComplete="off"
            spellCheck={false}
            aria-describedby="find-reading"
          />
          <Button type="submit" size="md" loading={search.isPending}>
            Find
          </Button>
        </div>
        <Reading
          text={text}
          hint={describeInput(identityField, filters)}
          filter={filter}
          found={{ ...found, refused: fault ?? refused }}
        />
      </Form>
      {/* Not in the form, because it may have one of its own. */}
      {search.data === null && refused === null && ifNobody}
    </>
  );
}

/** The text, and what its submit does: conditions become part of the filter, and the rest is found. */
function useFindText({ initial, atOnce = false, onFound, filter }: Props, identityField: IdentityField) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const client = useQueryClient();
  const [isSubmitted, setSubmitted] = useState(atOnce);
  const [fault, setFault] = useState<string | null>(null);
  const write = (value: string) => filter?.apply(value, findPersonalSearch(value, identityField));
  const { text, setText, commit, replace } = useSearchText(filter?.text ?? '', write, initial);
  const found = useFinder({ text, isSubmitted, atOnce, onFound, filter });
  const typed = useRef(text);
  const change = (value: string, put: (value: string) => void) => {
    typed.current = value;
    put(value);
    setSubmitted(false);
    setFault(null);
  };
  const submit = async () => {
    typed.current = text;
    const taken = filter === undefined ? null : await readConditions(client, text, identityField);
    // While their code was loading, somebody typed on.
    if (typed.current !== text) return;
    if (taken !== null) {
      setFault(taken.fault);
      if (taken.fault !== null) return;
      filter?.add(taken.filter);
      replace(taken.search);
    } else {
      commit();
      setSubmitted(true);
      found.submit();
    }
  };
  return {
    text,
    fault,
    found,
    type: (value: string) => change(value, setText),
    empty: () => change('', replace),
    submit: () => void submit().catch(() => setFault(NOT_LOADED)),
  };
}

const NOT_LOADED = 'Conditions could not be read: their code did not load. Try again.';

/** Null if there are none. Their code is loaded only here: the first file has to be small. */
async function readConditions(client: QueryClient, text: string, identityField: IdentityField) {
  if (!/:|\bsubscribed\b/.test(text)) return null;
  const { takeConditions } = await import('../filter/takeConditions.ts');
  const taken = takeConditions(client, text, identityField);
  return taken.fault === null && taken.filter === '' ? null : taken;
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
