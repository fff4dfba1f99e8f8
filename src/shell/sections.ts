import { IconAddressBook, IconMailOff, IconWorld, type Icon } from '@tabler/icons-react';
import { paths } from '../url/paths.ts';

/** The pages of the rail and of the palette; `purpose` is what the palette also finds a page by. */
export const sections: readonly { to: string; label: string; Icon: Icon; purpose?: string }[] = [
  { to: paths.contacts, label: 'Contacts', Icon: IconAddressBook },
  { to: paths.desk, label: 'Bulk unsubscribe', Icon: IconMailOff, purpose: 'a list of contacts' },
  { to: paths.domains, label: 'Domains', Icon: IconWorld },
];
