import { listContacts } from '#contract/additions.ts';
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
  /** The first call of the page where its URL has no query; e2e/pages/firstPage.spec.ts compares. */
  reads: string | null;
};

const rows = (path: string, query: ListQuery) => `${path}?${formatListQuery({ page: 1, per_page: 25, ...query })}`;

/** By path. */
export const PAGE_STARTS: Readonly<Record<string, PageStart>> = {
  '/': { title: 'Overview', hasToolbar: false, needs: getOverview.id, source: null, reads: null },
  '/contacts': {
    title: 'Contacts',
    hasToolbar: true,
    needs: listContacts.id,
    source: 'src/contacts/ContactsPage.tsx',
    reads: rows(listContacts.path, { sorting: [{ id: 'created_at', desc: true }] }),
  },
  '/domains': { title: 'Domains', hasToolbar: true, needs: null, source: null, reads: rows(listDomains.path, {}) },
  '/desk': { title: 'Bulk unsubscribe', hasToolbar: false, needs: null, source: 'src/bulk/BulkPage.tsx', reads: null },
  '/activity': {
    title: 'Activity',
    hasToolbar: true,
    needs: listChanges.id,
    source: 'src/auditLog/ActivityPage.tsx',
    reads: null,
  },
};
