import { PER_PAGE_MAX, type Page } from '#contract/list.ts';

type Resource = { readonly uuid: string };
/** A resource, or what is said of a domain or a contact. */
type Identified = Resource | { readonly domain: Resource } | { readonly contact: Resource };

export type ResourceRow = Identified & { readonly [field: string]: unknown };

export function uuidOf(row: Identified): string {
  if ('uuid' in row) return row.uuid;
  return 'domain' in row ? row.domain.uuid : row.contact.uuid;
}

export type ReadPage<Item extends Identified = ResourceRow> = (page: number, perPage: number) => Promise<Page<Item>>;

export type ReadAllResult = {
  /** The list changed meanwhile: rows may be missing. */
  changed: boolean;
  /** The service has no pages, and sends no more rows. */
  cut: boolean;
};

export async function* readAllRows<Item extends Identified>(
  read: ReadPage<Item>,
): AsyncGenerator<{ rows: Item[]; total: number }, ReadAllResult> {
  const seen = new Set<string>();
  const unseen = (rows: readonly Item[]) =>
    rows.filter((row) => {
      const uuid = uuidOf(row);
      const isNew = !seen.has(uuid);
      seen.add(uuid);
      return isNew;
    });

  const first = await read(1, PER_PAGE_MAX);
  const { total } = first.meta;
  let changed = false;
  let page = first;
  yield { rows: unseen(first.data), total };
  for (let number = 2; page.meta.has_next; number++) {
    page = await read(number, PER_PAGE_MAX);
    // The name of the page parameter of events is "not shown" (docs/interface.md, 4.3): a service may not know ours.
    if (page.meta.current_page !== number || isSame(page, first))
      return yield* growPage(read, unseen, first.data.length);
    const rows = unseen(page.data);
    changed ||= page.meta.total !== total || rows.length < page.data.length;
    // A service that claims more rows and sends none would never end.
    if (rows.length === 0) break;
    yield { rows, total: page.meta.total };
  }
  // A row inserted at the top may not have moved any row to another page.
  const again = page === first ? first : await read(1, 1);
  changed ||= again.meta.total !== total || isOther(again, first);
  return { changed: changed || seen.size !== total, cut: false };
}

/** For a service that ignores the page: doubles the size of the first page. */
async function* growPage<Item extends Identified>(
  read: ReadPage<Item>,
  unseen: (rows: readonly Item[]) => Item[],
  length: number,
): AsyncGenerator<{ rows: Item[]; total: number }, ReadAllResult> {
  for (let perPage = length * 2; ; perPage *= 2) {
    const { data, meta } = await read(1, perPage);
    const rows = unseen(data);
    yield { rows, total: meta.total };
    if (data.length >= meta.total) return { changed: false, cut: false };
    if (rows.length === 0) return { changed: false, cut: true };
  }
}

const firstOf = ({ data: [row] }: Page<Identified>) => row && uuidOf(row);

const isOther = (page: Page<Identified>, other: Page<Identified>) => firstOf(page) !== firstOf(other);

const isSame = (page: Page<Identified>, other: Page<Identified>) => page.data.length > 0 && !isOther(page, other);
