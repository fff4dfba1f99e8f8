import { ImportLink } from '../ImportLink.tsx';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { ListQuery } from '#contract/list.ts';
import { curlCommand } from '../../api/curl.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useRecordExport } from '../../session/useRecordExport.ts';
import { announce } from '../../ui/page/announce.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import {
  ExportError,
  exportList,
  type ExportFormat,
  type ListSource,
  type ExportOutcome,
  type ExportProgress,
} from './exportList.ts';
import classes from './ListExportDialog.module.css';
import { useExport } from './useExport.ts';

type Props = { source: ListSource; total: number | undefined; more?: ReactNode; onClose: () => void };

export function ListExportDialog({ source, total, more, onClose }: Props) {
  const { what, input } = source;
  const { query } = input as { query?: ListQuery };
  const [progress, setProgress] = useState<ExportProgress>();
  const record = useRecordExport();
  const { start, cancel, isPending, error, outcome } = useExport(async (format: ExportFormat, signal) => {
    setProgress(undefined);
    const saved = await exportList(source, format, { record, onProgress: report(setProgress), signal });
    if (saved !== null) announce(`Exported ${countOf(saved.written, what)}`);
    return saved;
  });
  return (
    <Dialog title={`Export and share ${what}`} closable onClose={isPending ? cancel : onClose}>
      <p>
        <UntrustedText text={describeList(what, total, query)} />
      </p>
      {isPending ? (
        <Running what={what} progress={progress} onCancel={cancel} />
      ) : (
        <div className={classes.formats}>
          <Button variant="default" onClick={() => start('csv')}>
            Save as CSV
          </Button>
          <span>For spreadsheets. Text that looks like a formula starts with an apostrophe.</span>
          <Button variant="default" onClick={() => start('ndjson')}>
            Save as NDJSON
          </Button>
          <span>For programs: one resource per line, exactly as the service sent it.</span>
        </div>
      )}
      {outcome !== null && <ExportResult what={what} saved={outcome} />}
      {error !== null && <ExportErrorNotice what={what} error={error} />}
      {more}
      {what === 'contacts' && <ImportLink label="Import contacts" />}
      <Command source={source} />
    </Dialog>
  );
}

/** Also announces each quarter. */
function report(show: (progress: ExportProgress) => void): (progress: ExportProgress) => void {
  let announced = 0;
  return (progress) => {
    show(progress);
    const quarter = Math.floor((4 * progress.written) / Math.max(1, progress.total));
    if (quarter <= announced || quarter >= 4) return;
    announced = quarter;
    announce(`${quarter * 25} percent exported`);
  };
}

type RunningProps = { what: string; progress: ExportProgress | undefined; onCancel: () => void };

function Running({ what, progress, onCancel }: RunningProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => button.current?.focus(), []);
  return (
    <div className={classes.running}>
      <progress
        aria-label={`Export of ${what}`}
        {...(progress !== undefined && { value: progress.written, max: Math.max(1, progress.total) })}
      />
      <span>
        {progress === undefined
          ? 'Starting'
          : `${formatCount(progress.written)} of ${countOf(progress.total, what)} exported`}
      </span>
      <Button ref={button} size="xs" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function ExportResult({ what, saved }: { what: string; saved: ExportOutcome | 'cancelled' }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} className={classes.result}>
      {saved === 'cancelled' ? (
        <Notice tone="neutral" title="Cancelled">
          No {what} were saved.
        </Notice>
      ) : (
        <Notice
          tone={saved.changed || saved.cut ? 'warn' : 'good'}
          title={`${countOf(saved.written, what)} saved as ${saved.fileName}`}
        >
          {saved.cut &&
            `This service has no pages, and this is the most it sends. The file has the first ${formatCount(saved.written)} of ${formatCount(saved.total)}.`}
          {saved.changed &&
            'The list changed during the export: rows may be missing or out of date, but none is duplicated. Export again later.'}
        </Notice>
      )}
    </div>
  );
}

function ExportErrorNotice({ what, error }: { what: string; error: unknown }) {
  if (!(error instanceof ExportError)) return <ErrorAlert error={error} />;
  const { written, total } = error.progress;
  const note =
    written === 0
      ? `No ${what} were saved.`
      : `The file has the first ${formatCount(written)} of ${countOf(total, what)}. Export again for all of them.`;
  return <ErrorAlert error={error.cause} note={note} />;
}

function Command({ source: { endpoint, input } }: { source: ListSource }) {
  const [command] = useState(() => curlCommand(endpoint, input));
  if (command === null) return null;
  return (
    <section className={classes.command} aria-label="As curl">
      <div className={classes.commandHead}>
        <h3>This page as a command</h3>
        <CopyButton value={command} what="as curl" label="Copy as curl" />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls with the keyboard */}
      <pre tabIndex={0} role="group" aria-label="Command">
        {command}
      </pre>
      <p>Set TOKEN to your token.</p>
    </section>
  );
}

const countOf = (count: number, what: string) =>
  `${formatCount(count)} ${count === 1 ? what.replace(/(ss)es$|s$/, '$1') : what}`;

function describeList(what: string, total: number | undefined, query: ListQuery | undefined): string {
  const filters = Object.entries(query?.filters ?? {}).map(([name, value]) => `with ${name} = ${value}`);
  const search = query?.search ? [`that ${total === 1 ? 'matches' : 'match'} “${query.search}”`] : [];
  const all = [total === undefined ? `All ${what}` : countOf(total, what), ...search, ...filters].join(' ');
  return `${all}, from every page, in the order shown.`;
}
