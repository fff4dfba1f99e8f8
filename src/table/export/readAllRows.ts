import { PER_PAGE_MAX, type Page } from '#contract/list.ts';

export type ResourceRow = { readonly uuid: string; readonly [field: string]: unknown };

export type ReadPage<Item extends { readonly uuid: string } = ResourceRow> = (
  page: number,
  perPage: number,
) => Promise<Page<Item>>;

export type ReadAllResult = {
  /** The list changed meanwhile: rows may be missing. */
  changed: boolean;
  /** The service has no pages, and sends no more rows. */
  cut: boolean;
};

export async function* readAllRows<Item extends { readonly uuid: string }>(
  read: ReadPage<Item>,
): AsyncGenerator<{ rows: Item[]; total: number }, ReadAllResult> {
  const seen = new Set<string>();
  const unseen = (rows: readonly Item[]) =>
    rows.filter(({ uuid }) => {
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
  changed ||= again.meta.total !== total || again.data[0]?.uuid !== first.data[0]?.uuid;
  return { changed: changed || seen.size !== total, cut: false };
}

/** For a service that ignores the page: doubles the size of the first page. */
async function* growPage<Item extends { readonly uuid: string }>(
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

const isSame = (page: Page<{ uuid: string }>, other: Page<{ uuid: string }>) =>
  page.data.length > 0 && page.data[0]?.uuid === other.data[0]?.uuid;
