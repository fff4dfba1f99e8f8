import { listContacts } from '#contract/additions.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { listDomains } from '#contract/interface.ts';
import { formatListQuery, type ListQuery } from '#contract/list.ts';
import { listChanges } from '#contract/auditLog.ts';
import { getOverview } from '#contract/overview.ts';

/** What the service puts into a page of the console, to show before its script has arrived. */
export type PageStart = {
  /** Its heading. */
  title: string;
  /** Whether it has a line of controls below the heading. */
  hasToolbar: boolean;
  /** The id of the operation that the page requires. */
  needs: string | null;
  /** Its source, if it's not in the first file. */
  source: string | null;
  /** The first call of the page where its URL has no query, by what the service has; e2e/pages/firstPage.spec.ts compares. */
  reads: readonly FirstCall[];
};

/** `needs` is the id of an operation that the service may lack. Of several calls, the first one it has is made. */
type FirstCall = { needs: string | null; call: string };

const rows = (path: string, query: ListQuery, needs: string | null = null): FirstCall => ({
  needs,
  call: `${path}?${formatListQuery({ page: 1, per_page: 25, ...query })}`,
});

/** By path. */
export const PAGE_STARTS: Readonly<Record<string, PageStart>> = {
  '/': { title: 'Overview', hasToolbar: false, needs: getOverview.id, source: null, reads: [] },
  '/contacts': {
    title: 'Contacts',
    hasToolbar: true,
    needs: listContacts.id,
    source: 'src/contacts/ContactsPage.tsx',
    reads: [rows(listContacts.path, { sorting: [{ id: 'created_at', desc: true }] })],
  },
  '/domains': {
    title: 'Domains',
    hasToolbar: true,
    needs: null,
    source: null,
    reads: [
      rows(listDomainReports.path, { sorting: [{ id: 'urgency', desc: true }] }, listDomainReports.id),
      rows(listDomains.path, {}),
    ],
  },
  '/desk': { title: 'Bulk unsubscribe', hasToolbar: false, needs: null, source: 'src/bulk/BulkPage.tsx', reads: [] },
  '/activity': {
    title: 'Audit log',
    hasToolbar: true,
    needs: listChanges.id,
    source: 'src/auditLog/AuditLogPage.tsx',
    reads: [],
  },
};
