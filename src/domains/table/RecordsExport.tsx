import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useRecordExport } from '../../session/useRecordExport.ts';
import { exportRows, type ExportFormat } from '../../table/export/exportList.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { announce } from '../../ui/page/announce.ts';
import type { DomainRow } from './rows/domainRow.ts';
import { createExportRows, escapeExportRow } from './rows/exportRows.ts';
import classes from './RecordsExport.module.css';

const FORMATS: readonly { format: ExportFormat; label: string }[] = [
  { format: 'csv', label: 'Save as CSV' },
  { format: 'ndjson', label: 'Save as NDJSON' },
];

/** Saves the records of the rows shown, with what was found about them. */
export function RecordsExport({ rows }: { rows: readonly DomainRow[] }) {
  const lines = createExportRows(rows);
  const record = useRecordExport();
  const save = useMutation({
    mutationFn: (format: ExportFormat) => {
      const source = { columns: Object.keys(lines[0] ?? {}), fileName: 'dns-checks' };
      const written = format === 'csv' ? lines.map(escapeExportRow) : lines;
      return exportRows(source, written, format, () => record({ operation: 'checkDomain', format }));
    },
    onSuccess: (fileName) => fileName !== null && announce(`Saved ${records(lines.length)} as ${fileName}`),
  });
  if (lines.length === 0) return null;
  return (
    <section className={classes.export} aria-label="Export of the records shown">
      <span>
        {records(lines.length)} of the {rows.length === 1 ? 'one domain' : `${rows.length} domains`} shown, with what
        was found
      </span>
      {FORMATS.map(({ format, label }) => (
        <Button key={format} variant="default" size="xs" onClick={() => save.mutate(format)}>
          {label}
        </Button>
      ))}
      {save.data && <span role="status">Saved as {save.data}</span>}
      {save.isError && <ErrorAlert error={save.error} note="The file was not saved." />}
    </section>
  );
}

const records = (count: number) => (count === 1 ? '1 record' : `${formatCount(count)} records`);
