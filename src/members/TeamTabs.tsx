import { listMembers, listSessions, listTokens } from '#contract/members.ts';
import { listDestinations } from '#contract/notifications.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { useCapability } from '../session/useSession.ts';
import { SectionAnchor } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import tabs from '../ui/Tabs.module.css';

export function TeamTabs() {
  const isAdmin = useMissingRole(listMembers) === null;
  const [hasMembers, hasTokens, hasSessions, hasDestinations] = [
    useCapability(listMembers),
    useCapability(listTokens),
    useCapability(listSessions),
    useCapability(listDestinations),
  ];
  if (!isAdmin) return null;
  return (
    <nav aria-label="Team" className={tabs.tabs}>
      {hasMembers && <SectionAnchor to={paths.people}>Members</SectionAnchor>}
      {hasTokens && <SectionAnchor to={paths.tokens}>Tokens</SectionAnchor>}
      {hasSessions && <SectionAnchor to={paths.sessions}>Sessions</SectionAnchor>}
      {hasDestinations && <SectionAnchor to={paths.notifications}>Notifications</SectionAnchor>}
    </nav>
  );
}
