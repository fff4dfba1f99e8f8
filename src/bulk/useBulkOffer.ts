import { useQueryClient } from '@tanstack/react-query';
import { unsubscribeContact } from '#contract/interface.ts';
import { findIdentities } from '../identity/parse/findIdentities.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useIdentityField } from '../session/useSession.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import type { PaletteOffer } from '../ui/page/actions.ts';
import { useOpenPage } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { handedTextQuery } from './handedText.ts';

const LINES_MIN = 3;
/** Lines that are looked at, from the top. */
const SAMPLE = 100;

/** A pasted list can be unsubscribed in bulk. */
export function useBulkOffer(text: string): PaletteOffer {
  const client = useQueryClient();
  const openPage = useOpenPage();
  const mayUnsubscribe = useMissingRole(unsubscribeContact) === null;
  const count = countListed(text, useIdentityField());
  const run = () => {
    client.setQueryData(handedTextQuery.queryKey, text);
    openPage(paths.bulk);
  };
  const label = `Unsubscribe this list of ${formatCount(count)} in bulk`;
  const options = mayUnsubscribe && count > 0 ? [{ id: 'unsubscribe in bulk', label, run }] : [];
  return { groups: [{ title: 'List', options, place: 'first' }], isSearching: false, error: null };
}

/** The lines of a list or a table, without a head; 0 if most have nobody, as in a message. */
export function countListed(text: string, identityField: IdentityField): number {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  if (lines.length < LINES_MIN) return 0;
  const isOfSomebody = lines
    .slice(0, SAMPLE)
    .map((line) => findIdentities(line, identityField, false).some(({ reading }) => reading.ok));
  const named = isOfSomebody.filter(Boolean).length;
  if (named < LINES_MIN || named * 2 <= isOfSomebody.length) return 0;
  return lines.length - (isOfSomebody[0] === true ? 0 : 1);
}
