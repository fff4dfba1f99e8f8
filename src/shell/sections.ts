import { IconAddressBook, IconMailOff, IconWorld, type Icon } from '@tabler/icons-react';
import { paths } from '../paths.ts';

/** The pages of the rail and of the palette. */
export const sections: readonly { to: string; label: string; Icon: Icon }[] = [
  { to: paths.contacts, label: 'Contacts', Icon: IconAddressBook },
  { to: paths.desk, label: 'Desk', Icon: IconMailOff },
  { to: paths.domains, label: 'Domains', Icon: IconWorld },
];
