import { IconAddressBook, IconWorld, type Icon } from '@tabler/icons-react';
import { paths } from '../paths.ts';

/** The pages of the rail and of the palette. */
export const sections: readonly { to: string; label: string; Icon: Icon }[] = [
  { to: paths.contacts, label: 'Contacts', Icon: IconAddressBook },
  { to: paths.domains, label: 'Domains', Icon: IconWorld },
];
