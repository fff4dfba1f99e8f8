import {
  IconAddressBook,
  IconHistory,
  IconHome,
  IconMailOff,
  IconUsers,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
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
  /** Whether it is only for admins. */
  isAdmin?: boolean;
  /** The section that the page is a part of: the palette has it, the rail has that one. */
  within?: string;
};

const SECTIONS: readonly Section[] = [
  { to: paths.overview, label: 'Overview', Icon: IconHome, needs: 'getOverview' },
  { to: paths.contacts, label: 'Contacts', Icon: IconAddressBook },
  { to: paths.bulk, label: 'Bulk unsubscribe', Icon: IconMailOff, purpose: 'a list of contacts' },
  { to: paths.domains, label: 'Domains', Icon: IconWorld },
  {
    to: paths.activity,
    label: 'Activity',
    Icon: IconHistory,
    purpose: 'the log',
    needs: 'listChanges',
  },
  {
    to: paths.people,
    label: 'People',
    Icon: IconUsers,
    purpose: 'invite someone',
    needs: 'listMembers',
    isAdmin: true,
  },
  { to: paths.tokens, label: 'Tokens', Icon: IconUsers, needs: 'listTokens', isAdmin: true, within: paths.people },
  { to: paths.sessions, label: 'Sessions', Icon: IconUsers, needs: 'listSessions', within: paths.people },
];

/** The pages of the rail and of the palette. A service that does not tell the role answers by itself what one may not do. */
export const listSections = (session: Session | undefined): readonly Section[] =>
  SECTIONS.filter(
    ({ needs, isAdmin = false }) =>
      (needs === undefined || session?.capabilities.includes(needs)) &&
      (!isAdmin || [null, 'admin'].includes(session?.role ?? null)),
  );
