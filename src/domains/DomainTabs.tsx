import type { OperationId } from '#contract/roles.ts';
import { useCapability } from '../session/useSession.ts';
import tabs from '../ui/Tabs.module.css';
import { SectionAnchor } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';

/** Without its operation, which is loaded with its page. */
const ADDRESSES = { id: 'listAddresses' } satisfies { id: OperationId };

export function DomainTabs() {
  if (!useCapability(ADDRESSES)) return null;
  return (
    <nav aria-label="Domains and addresses" className={tabs.tabs}>
      <SectionAnchor to={paths.domains}>Domains</SectionAnchor>
      <SectionAnchor to={paths.addresses}>Addresses</SectionAnchor>
    </nav>
  );
}
