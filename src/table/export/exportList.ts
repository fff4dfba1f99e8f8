import * as z from 'zod/mini';
import type { Endpoint, EndpointInput } from '#contract/openapi/endpoint.ts';
import { UUID } from '#contract/values/field.ts';
import { readablePageSchema, type ListQuery, type Page } from '#contract/list.ts';
import type { Exported } from '#contract/auditLog.ts';
import { escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';
import { request } from '../../api/client.ts';
import { withRetries } from '../../api/retry.ts';
import { CSV_BOM, csvLine } from '../../ui/format/csv.ts';
import type { useRecordExport } from '../../session/useRecordExport.ts';
import { openFile } from '../../ui/page/download.ts';
import { readAllRows, type ReadAllResult, type ResourceRow } from './readAllRows.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** A list that the audit log has a name for. */
export type ExportedList = Endpoint & { readonly id: Exported };

export type ListSource<E extends ExportedList = ExportedList> = {
  what: string;
  endpoint: E;
  input: EndpointInput<E>;
  /** CSV columns: fields, and attributes as `attributes.email`. They can't depend on rows: the header comes first. */
  columns: readonly string[];
  /** What rows belong to and don't say, by column. */
  common?: Readonly<Record<string, string>>;
  fileName: string;
};

export type ExportProgress = { written: number; total: number };
export type ExportOutcome = ReadAllResult & ExportProgress & { fileName: string };

/** The file has what was written before. Not an `ApiError`: a 401 would lead to the sign-in page. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  readonly progress: ExportProgress;

  constructor(cause: unknown, progress: ExportProgress) {
    super('The export stopped early', { cause });
    this.progress = progress;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const FORMATS = {
  csv: {
    type: 'text/csv;charset=utf-8',
    head: (columns: readonly string[]) => CSV_BOM + csvLine(columns),
    line: (row: Fields, columns: readonly string[]) => csvLine(cellsOf(row, columns)),
  },
  // As the service sent them, with unknown keys.
  ndjson: {
    type: 'application/x-ndjson',
    head: () => '',
    line: (row: Fields) => `${escapeInvisibleInJson(JSON.stringify(row))}\n`,
  },
};

const hasUuid = (value: unknown) =>
  typeof value === 'object' && value !== null && 'uuid' in value && typeof value.uuid === 'string';

const anyRow = z.custom<ResourceRow>(
  (value) =>
    hasUuid(value) ||
    (typeof value === 'object' &&
      value !== null &&
      (('domain' in value && hasUuid(value.domain)) || ('contact' in value && hasUuid(value.contact)))),
);

type ExportRun = {
  /** Called before any row is read: see `useRecordExport`. */
  record: ReturnType<typeof useRecordExport>;
  onProgress: (progress: ExportProgress) => void;
  signal: AbortSignal;
};

/** Null if the user chose no file. Throws an `ExportError`, or the abort reason; then nothing is saved. */
export async function exportList(
  source: ListSource,
  format: ExportFormat,
  { record, onProgress, signal }: ExportRun,
): Promise<ExportOutcome | null> {
  const { head, line } = FORMATS[format];
  const opened = await openExport(source.fileName, format);
  if (opened === null) return null;
  const { file, fileName } = opened;

  let progress: ExportProgress = { written: 0, total: 0 };
  try {
    const parent = findUuid(Object.values(source.input as object));
    await record({ operation: source.endpoint.id, format, ...(parent !== undefined && { of: parent }) });
    await file.write(head(source.columns));
    const walk = readAllRows((page, perPage) => withRetries(() => readPage(source, page, perPage, signal), signal));
    for (;;) {
      const { done, value } = await walk.next();
      signal.throwIfAborted();
      if (done) {
        await file.close();
        return { ...value, ...progress, fileName };
      }
      await file.write(value.rows.map((row) => line({ ...source.common, ...row }, source.columns)).join(''));
      progress = { written: progress.written + value.rows.length, total: value.total };
      onProgress(progress);
    }
  } catch (error) {
    if (signal.aborted) {
      await file.discard();
      throw error;
    }
    // An error here follows from the first one.
    await file.close().catch(() => undefined);
    throw new ExportError(error, progress);
  }
}

/** Returns the file name, or null if the user chose none. If it throws, nothing is saved. */
export async function exportRows(
  { columns, fileName: prefix }: Pick<ListSource, 'columns' | 'fileName'>,
  rows: readonly Fields[],
  format: ExportFormat,
  record: () => Promise<void>,
): Promise<string | null> {
  const { head, line } = FORMATS[format];
  const opened = await openExport(prefix, format);
  if (opened === null) return null;
  const { file, fileName } = opened;
  try {
    await record();
    await file.write(head(columns) + rows.map((row) => line(row, columns)).join(''));
    await file.close();
    return fileName;
  } catch (error) {
    // An error here follows from the first one.
    await file.discard().catch(() => undefined);
    throw error;
  }
}

const findUuid = (values: unknown[]) =>
  values.find((value): value is string => typeof value === 'string' && UUID.test(value));

async function openExport(prefix: string, format: ExportFormat) {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const fileName = `sendroom-${fileSafe(prefix)}-${time}Z.${format}`;
  const file = await openFile(fileName, FORMATS[format].type);
  return file && { file, fileName };
}

function readPage({ endpoint, input }: ListSource, page: number, per_page: number, signal: AbortSignal) {
  const parameters = input as { query?: ListQuery };
  const unvalidated = { ...endpoint, reading: readablePageSchema(anyRow) };
  return request(unvalidated, { ...parameters, query: { ...parameters.query, page, per_page } }, signal) as Promise<
    Page<ResourceRow>
  >;
}

function cellsOf(row: Fields, columns: readonly string[]): unknown[] {
  return columns.map((column) => cellOf(row, column));
}

/** A key may have dots too. */
function cellOf(row: Fields, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  const dot = column.indexOf('.');
  const inner = dot < 0 ? undefined : row[column.slice(0, dot)];
  return typeof inner === 'object' && inner !== null ? cellOf(inner as Fields, column.slice(dot + 1)) : undefined;
}

function fileSafe(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-').slice(0, 80);
}
