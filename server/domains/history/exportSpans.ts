import { must } from '#contract/values/must.ts';
import { iterateLines } from '../../database/paging/iteratePages.ts';
import { lookUpRows } from '../../database/lookUp.ts';
import type { Scope } from '../../database/scope.ts';
import { spanOf } from './listSpans.ts';
import type { SpanRow } from './moveSpans.ts';
import { readSpansAfter } from './readSpans.ts';

type Named = { name: string; checked_at: number | null };

/** All spans of the workspace as lines of JSON, ordered by domain, subject and time. */
export function exportSpans(scope: Scope): AsyncGenerator<string[]> {
  return iterateLines<SpanRow>(
    (last) => readSpansAfter(scope, last),
    async (rows) => {
      const target = { table: 'domains', fixed: {}, key: 'uuid' } as const;
      const uuids = rows.map(({ domain_uuid }) => domain_uuid);
      const domains = await lookUpRows<string, Named>(scope, target, ['name', 'checked_at'], uuids);
      return rows.map((row) => {
        const { name, checked_at } = must(domains.get(row.domain_uuid));
        return JSON.stringify({
          domain: { uuid: row.domain_uuid, name },
          ...spanOf(row, must(row.ended_at ?? checked_at)),
        });
      });
    },
  );
}
