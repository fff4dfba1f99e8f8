import { IconAddressBook, IconHome, IconMailOff, IconWorld, type Icon } from '@tabler/icons-react';
import type { Session } from '#contract/session.ts';
import { paths } from '../url/paths.ts';

export type Section = {
  to: string;
  label: string;
  Icon: Icon;
  /** What the palette also finds a page by. */
  purpose?: string;
  /** Id of the addition without which there is no such page. */
  needs?: string;
};

const SECTIONS: readonly Section[] = [
  { to: paths.overview, label: 'Overview', Icon: IconHome, needs: 'getOverview' },
  { to: paths.contacts, label: 'Contacts', Icon: IconAddressBook },
  { to: paths.desk, label: 'Bulk unsubscribe', Icon: IconMailOff, purpose: 'a list of contacts' },
  { to: paths.domains, label: 'Domains', Icon: IconWorld },
];

/** The pages of the rail and of the palette. */
export const listSections = (session: Session | undefined): readonly Section[] =>
  SECTIONS.filter(({ needs }) => needs === undefined || session?.capabilities.includes(needs));
