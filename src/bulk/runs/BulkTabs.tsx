import { listRuns } from '#contract/runs/runs.ts';
import { useCapability } from '../../session/useSession.ts';
import tabs from '../../ui/Tabs.module.css';
import { SectionAnchor } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';

export function BulkTabs() {
  if (!useCapability(listRuns)) return null;
  return (
    <nav aria-label="Bulk unsubscribe" className={tabs.tabs}>
      <SectionAnchor to={paths.bulk}>New list</SectionAnchor>
      <SectionAnchor to={paths.runs}>Runs</SectionAnchor>
    </nav>
  );
}
