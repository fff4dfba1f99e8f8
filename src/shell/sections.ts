import {
  IconAddressBook,
  IconHistory,
  IconHome,
  IconMailOff,
  IconSearch,
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
  purpose?: string;
  needs?: string;
  isAdmin?: boolean;
  /** On a phone, the navigation has only these. */
  onPhone?: { label: string; Icon: Icon };
  /** The section that contains the page: the palette has both, the navigation only that one. */
  within?: string;
};

const SECTIONS: readonly Section[] = [
  { to: paths.overview, label: 'Overview', Icon: IconHome, needs: 'getOverview' },
  {
    to: paths.contacts,
    label: 'Contacts',
    Icon: IconAddressBook,
    onPhone: { label: 'Find', Icon: IconSearch },
  },
  {
    to: paths.suppressions,
    label: 'Unsubscribed contacts',
    Icon: IconAddressBook,
    purpose: 'why and by whom',
    needs: 'listSuppressions',
    within: paths.contacts,
  },
  {
    to: paths.importContacts,
    label: 'Import contacts',
    Icon: IconAddressBook,
    needs: 'startImport',
    isAdmin: true,
    within: paths.contacts,
  },
  {
    to: paths.bulk,
    label: 'Bulk unsubscribe',
    Icon: IconMailOff,
    purpose: 'a list of contacts',
    onPhone: { label: 'Bulk', Icon: IconMailOff },
  },
  {
    to: paths.runs,
    label: 'Bulk runs',
    Icon: IconMailOff,
    purpose: 'continue, approve, undo',
    needs: 'listRuns',
    within: paths.bulk,
  },
  { to: paths.domains, label: 'Domains', Icon: IconWorld, onPhone: { label: 'Domains', Icon: IconWorld } },
  { to: paths.addresses, label: 'Addresses', Icon: IconWorld, needs: 'listAddresses', within: paths.domains },
  {
    to: paths.activity,
    label: 'Audit log',
    Icon: IconHistory,
    purpose: 'who did what',
    needs: 'listChanges',
  },
  {
    to: paths.people,
    label: 'Team',
    Icon: IconUsers,
    purpose: 'members, invite someone',
    needs: 'listMembers',
    isAdmin: true,
  },
  { to: paths.tokens, label: 'Tokens', Icon: IconUsers, needs: 'listTokens', isAdmin: true, within: paths.people },
  { to: paths.sessions, label: 'Sessions', Icon: IconUsers, needs: 'listSessions', within: paths.people },
  {
    to: paths.notifications,
    label: 'Notifications',
    Icon: IconUsers,
    purpose: 'webhooks and mail',
    needs: 'listDestinations',
    isAdmin: true,
    within: paths.people,
  },
];

/** Under *More* on a phone: also what a session may see without seeing the team. */
export const isInMore = ({ to, within, onPhone }: Section): boolean =>
  (within === undefined && onPhone === undefined) || to === paths.notifications || to === paths.sessions;

/** A service that doesn't return a role refuses by itself. */
export const listSections = (session: Session | undefined): readonly Section[] =>
  SECTIONS.filter(
    ({ needs, isAdmin = false }) =>
      (needs === undefined || session?.capabilities.includes(needs)) &&
      (!isAdmin || [null, 'admin'].includes(session?.role ?? null)),
  );
