import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState, type ClipboardEvent, type ReactNode } from 'react';
import { describeField } from '../../identity/describeField.ts';
import type { IdentityField } from '../../identity/parse/parseIdentity.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { useSearchText } from '../../table/useSearchText.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { Form } from '../../ui/Form.tsx';
import classes from './FindBox.module.css';
import { Finder } from './Finder.tsx';
import { findPersonalSearch, type Submission, useFinder } from './useFinder.ts';
import type { ContactFilter } from '../useContactFilter.ts';

type Props = {
  /** The text to begin with. */
  initial?: string;
  /** Looks `initial` up on mount, without a submit. */
  atOnce?: boolean;
  /** Receives what the contact is addressed by, instead of its page being opened. */
  onFound?: (contact: string) => void;
  /** The list that the text filters. Without it, words are looked up as an identity. */
  filter?: ContactFilter | undefined;
  /** Shown where nobody has the identity that was looked up. */
  ifNobody?: ReactNode;
};

/** One box for whatever names a contact. It keeps what is typed and pasted. */
export function FindBox({ initial, atOnce = false, onFound, filter, ifNobody }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const identityField = useIdentityField();
  const [submission, submit] = useState<Submission | null>(atOnce ? {} : null);
  const searched = filter?.text ?? '';
  const write = (value: string) => filter?.apply(value, findPersonalSearch(value, identityField));
  const { text, setText, commit, clear } = useSearchText(searched, write, initial);
  const found = useFinder({ text, submission, onFound, filter });
  const { search, refused } = found;
  usePageActions([{ id: 'look-up', label: 'Find a contact', run: () => box.current?.focus() }]);

  const type = (value: string) => {
    setText(value);
    submit(null);
  };
  const empty = () => {
    clear();
    submit(null);
    // The button that empties it goes away, and would leave the focus nowhere.
    box.current?.focus();
  };
  const filters = filter !== undefined;
  const hint = describeInput(identityField, filters);
  return (
    <>
      <Form
        className={classes.finder}
        onSubmit={() => {
          commit();
          submit({});
        }}
        role="search"
        aria-label="Find a contact"
      >
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
            onKeyDown={(event) => {
              if (event.key === 'Escape') empty();
            }}
            autoComplete="off"
            spellCheck={false}
            aria-describedby="find-reading"
          />
          <Button type="submit" size="md" loading={search.isPending}>
            Find
          </Button>
        </div>
        <Finder text={text} hint={hint} filter={filter} found={found} />
      </Form>
      {/* Not in the form, because it may have one of its own. */}
      {search.data === null && refused === null && ifNobody}
    </>
  );
}

/** What can be typed. */
function describeInput(identityField: IdentityField, isFiltering: boolean): string {
  const id = identityField === undefined ? 'ID' : identityField === null ? '' : describeField(identityField);
  return [...(isFiltering ? ['Name', 'email'] : ['Email']), 'phone', 'UUID', id].filter(Boolean).join(', ');
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
