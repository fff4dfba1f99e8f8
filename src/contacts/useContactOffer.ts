import { useNavigate } from 'react-router';
import { listContacts } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listQuery } from '../api/apiQuery.ts';
import { parseIdentity } from '../contact/parseIdentity.ts';
import { personAddress, personName } from '../contact/person.ts';
import { useCapability, useIdentityField } from '../session/useSession.ts';
import { useMatches } from '../table/useMatches.ts';
import type { PaletteOffer } from '../ui/actions.ts';
import { paths } from '../url/paths.ts';

/** What the palette offers of contacts: those that match, and to look the text up as an identity. */
export function useContactOffer(text: string): PaletteOffer {
  const navigate = useNavigate();
  const canList = useCapability(listContacts);
  const identity = parseIdentity(text, useIdentityField());
  const { rows, isSearching, error } = useMatches(text, {
    query: (search) => listQuery(listContacts, { query: { ...search, sorting: [{ id: 'updated_at', desc: true }] } }),
    isEnabled: () => canList,
  });
  const lookUp = identity.ok && {
    id: 'look up',
    label: `Look up “${text.trim()}”`,
    detail: `Reads as ${identity.as}`,
    run: () => void navigate(paths.contacts, { state: { lookUp: text } }),
  };
  return {
    groups: [
      {
        title: 'Contacts',
        options: rows.map((contact) => ({
          id: `contact ${contact.uuid}`,
          ...describeMatch(contact),
          run: () => void navigate(paths.contact(contact.uuid)),
        })),
      },
      {
        title: 'Find a contact',
        options: lookUp ? [lookUp] : [],
        place: identity.ok && identity.kind !== 'custom' ? 'first' : 'last',
      },
    ],
    isSearching,
    error,
  };
}

/** The name of the person, and the address where that is another text. */
function describeMatch(contact: ReadableContact): { label: string; detail?: string } {
  const [label, detail] = [personName(contact), personAddress(contact)];
  return { label, ...(detail !== '' && detail !== label && { detail }) };
}
