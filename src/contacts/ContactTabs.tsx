import type { OperationId } from '#contract/roles.ts';
import { useCapability } from '../session/useSession.ts';
import tabs from '../ui/Tabs.module.css';
import { SectionAnchor } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';

/** Without its operation, which is loaded with its page. */
const SUPPRESSIONS = { id: 'listSuppressions' } satisfies { id: OperationId };

export function ContactTabs() {
  if (!useCapability(SUPPRESSIONS)) return null;
  return (
    <nav aria-label="Contacts and unsubscribed contacts" className={tabs.tabs}>
      <SectionAnchor to={paths.contacts}>All</SectionAnchor>
      <SectionAnchor to={paths.suppressions}>Unsubscribed</SectionAnchor>
    </nav>
  );
}
