import * as z from 'zod/mini';
import { BulkRun, CHOSEN_USES, ReadableBulkRun } from '#contract/runs/runs.ts';
import { SUPPRESSION_REASONS } from './suppressions/suppression.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Attributes, checkedText, isStorable, Uuid } from '#contract/values/field.ts';

// Imports of contacts. In a file of its own, so that only its pages load it.

/** An import of more is for the admin command. */
export const IMPORT_ROWS_MAX = 50_000;
/** Rows of one request, whose body may also have 256 KiB and 20,000 fields. */
export const ROWS_AT_ONCE = 500;

/** Characters; those after are left out. */
export const FILE_NAME_MAX = 255;

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** On the calendar: `Date.parse` would move 30 February to March. */
function isTime(text: string): boolean {
  const [, local] = TIME.exec(text) ?? [];
  const asUtc = Date.parse(`${local}Z`);
  return (
    !Number.isNaN(Date.parse(text)) && !Number.isNaN(asUtc) && new Date(asUtc).toISOString().startsWith(String(local))
  );
}
const Time = z
  .string()
  .check(
    z.refine(isTime, { params: { sentence: 'must be a time with its zone, like 2026-01-31T09:00:00Z.' } }),
    z.meta({ format: 'date-time' }),
  );

/** A suppression unsubscribes, with null for a reason that nobody said; nothing subscribes an existing contact. */
export const ImportRow = z.strictObject({
  uuid: z.optional(Uuid),
  attributes: Attributes,
  created_at: z.optional(Time),
  updated_at: z.optional(Time),
  suppression: z.optional(z.strictObject({ reason: z.nullable(z.enum(SUPPRESSION_REASONS)), since: z.optional(Time) })),
});
export type ImportRow = z.infer<typeof ImportRow>;

const Rows = z.array(ImportRow).check(z.minLength(1), z.maxLength(ROWS_AT_ONCE));

/** `refused` has errors. */
const RowOutcome = z.strictObject({
  outcome: z.enum(['added', 'changed', 'unchanged', 'refused']),
  errors: z.optional(z.array(z.strictObject({ field: z.string(), message: z.string() }))),
});
export type RowOutcome = z.infer<typeof RowOutcome>;

/**
 * `received`: rows of the whole import. `unsubscribed`: contacts that it unsubscribed, of a preview in its rows. `recorded`: those unsubscribed
 * before, for whom it recorded a stronger reason, such as a complaint; an undo leaves it.
 */
const RowCounts = z.strictObject({ received: z.int(), unsubscribed: z.int(), recorded: z.int() });

/** An outcome for each row that was written, in their order. */
const outcomes = {
  result: z.strictObject({ data: z.array(RowOutcome), meta: RowCounts }),
  reading: z.object({
    data: z.array(z.object(RowOutcome.shape)),
    meta: z.object({ ...RowCounts.shape, recorded: z.catch(z.int(), 0) }),
  }),
};

/** What an import of these rows would do. Changes nothing. */
export const previewImport = {
  id: 'previewImport',
  method: 'POST',
  path: '/v1/imports/preview',
  body: z.strictObject({ rows: Rows }),
  ...outcomes,
} as const satisfies Operation;

/** A repeat changes nothing. */
export const startImport = {
  id: 'startImport',
  method: 'POST',
  path: '/v1/imports',
  body: z.strictObject({
    uuid: Uuid,
    rows: z.int().check(z.minimum(1), z.maximum(IMPORT_ROWS_MAX)),
    digest: z.optional(z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/)))),
    /** The name of the file. */
    file: z.optional(z.nullable(checkedText(z.minLength(1), z.maxLength(FILE_NAME_MAX), z.refine(isStorable)))),
    source: z.string().check(z.minLength(1), z.maxLength(100)),
    /**
     * Choices that differ from what `source` says of its columns: the attribute of a column, or null if it's left out, or is `to` say who is
     * unsubscribed, since when or why.
     */
    mapping: z.optional(
      z
        .array(
          z.strictObject({
            column: z.int().check(z.minimum(0)),
            attribute: z.nullable(z.string().check(z.maxLength(100))),
            to: z.optional(z.enum(CHOSEN_USES)),
          }),
        )
        .check(z.maxLength(1000)),
    ),
    /** Lines of the file that are no rows. */
    unreadable: z.optional(z.int().check(z.minimum(0))),
    /** Contacts that it unsubscribes, by its previews. If they need approval, the import is refused before anything is written. */
    unsubscribes: z.optional(z.int().check(z.minimum(0))),
  }),
  ...dataOf(BulkRun, ReadableBulkRun),
} as const satisfies Operation;

export const importRows = {
  id: 'importRows',
  method: 'POST',
  path: '/v1/imports/{run}/rows',
  body: z.strictObject({
    /** How many rows came before. Those that the import has already change nothing. */
    from: z.int().check(z.minimum(0), z.maximum(IMPORT_ROWS_MAX)),
    rows: Rows,
  }),
  ...outcomes,
} as const satisfies Operation;

/** `name` and `address`, an email or phone, are missing in older services. */
const NamedContact = z.strictObject({
  uuid: Uuid,
  name: z.optional(z.nullable(z.string())),
  address: z.optional(z.nullable(z.string())),
});
export type NamedContact = z.infer<typeof NamedContact>;

/**
 * What an undo did with some contacts. `left`: fields that stay as they are. `again`: those resubscribed, missing in older services. `next`:
 * where it continues; null at the end.
 */
const UndoneContacts = z.strictObject({
  restored: z.int(),
  /** Of those restored. */
  resubscribed: z.int(),
  erased: z.int(),
  undone_before: z.int(),
  left: z.array(
    z.strictObject({ ...NamedContact.shape, fields: z.array(z.strictObject({ field: z.string(), why: z.string() })) }),
  ),
  again: z.optional(z.array(NamedContact)),
  next: z.nullable(z.int()),
});
export type UndoneContacts = z.infer<typeof UndoneContacts>;

export const undoImport = {
  id: 'undoImport',
  method: 'POST',
  path: '/v1/imports/{run}/undo',
  body: z.strictObject({
    /** `next` of the request before. */
    after: z.optional(z.int().check(z.minimum(0))),
    dry_run: z.optional(z.boolean()),
  }),
  ...dataOf(UndoneContacts, z.object(UndoneContacts.shape)),
} as const satisfies Operation;
