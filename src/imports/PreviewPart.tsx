import { Button } from '@mantine/core';
import { NOBODY_SAID, REASONS } from '../identity/describeSuppression.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { ADDED_STAY, countOf } from './countOf.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { Fact } from '../ui/values/Fact.tsx';
import { Approval, useApprovalAbove } from './Approval.tsx';
import { usePlan } from './Columns.tsx';
import { Faults } from './Faults.tsx';
import classes from './Import.module.css';
import type { Preview } from './importJob.ts';
import { checkFile, type ImportState, writeFile } from './importStore.ts';

/** What the import would do, once it's checked, and the button that does it. */
export function PreviewPart({ state }: { state: ImportState }) {
  const { preview, file } = state;
  const { fault } = usePlan(state);
  const count = preview === null ? 0 : preview.added + preview.changed;
  const label =
    preview === null ? `Check ${countOf(file?.lines.length ?? 0, 'line')}` : `Import ${countOf(count, 'line')}`;
  const run = () => void (preview === null ? checkFile() : writeFile());
  const above = useApprovalAbove().data?.data.approval_above ?? null;
  const isAbove = preview !== null && above !== null && preview.unsubscribed > above;
  const isPossible = fault === null && !isAbove && (preview === null || count > 0);
  usePageActions(isPossible ? [{ id: 'import', label, run }] : []);
  return (
    <section className={classes.part} aria-label="Preview">
      {preview !== null && (
        <>
          <Counts preview={preview} />
          <Faults lines={preview.doubts} title="Check first" />
        </>
      )}
      <Approval preview={preview} />
      <div className={classes.actions}>
        {preview !== null && count === 0 ? (
          <p>There is nothing to import: no line adds or changes a contact.</p>
        ) : (
          <Button disabled={!isPossible} onClick={run}>
            {label}
          </Button>
        )}
        {preview === null && <span className="note">Checks each line with the service. Nothing is written yet.</span>}
      </div>
      {preview !== null && <Faults lines={preview.refused} title="Not imported" />}
    </section>
  );
}

function Counts({ preview }: { preview: Preview }) {
  const { added, addedUnsubscribed, changed, unchanged, repeats, unsubscribed, recorded, refused, reasons } = preview;
  const facts: [label: string, count: number][] = [
    ['New', added],
    ...(addedUnsubscribed > 0 ? [['New, unsubscribed', addedUnsubscribed] as [string, number]] : []),
    ['Changed', changed],
    ['Unsubscribed by it', unsubscribed],
    ['Unchanged', unchanged],
    ['Not imported', refused.length],
  ];
  const saysWhy = [...reasons.keys()].some((reason) => reason !== 'unknown');
  const suppressed = [...reasons].map(
    ([reason, count]) => `${reason === 'unknown' ? NOBODY_SAID : REASONS[reason]}: ${formatCount(count)}`,
  );
  return (
    <>
      <dl className={classes.counts}>
        {facts.map(([label, count]) => (
          <Fact key={label} label={label}>
            {formatCount(count)}
          </Fact>
        ))}
      </dl>
      {added > 0 && <p>{ADDED_STAY}</p>}
      {repeats > 0 && (
        <p>
          {countOf(repeats, 'line')} {repeats === 1 ? 'names' : 'name'} somebody again. They are counted too. Where
          attributes differ, the last line counts; why and since when somebody is unsubscribed, the first one, unless a
          later reason is a complaint or legal.
        </p>
      )}
      {suppressed.length > 0 && (
        <p>
          Unsubscribed in the file, by reason: {suppressed.join(', ')}. New ones are added unsubscribed.
          {saysWhy && ' If somebody is already unsubscribed without a reason, the reason is recorded.'}
        </p>
      )}
      {recorded > 0 && (
        <p>
          Already unsubscribed, with a complaint or legal reason to record: {formatCount(recorded)}. An undo of the
          import keeps these reasons.
        </p>
      )}
    </>
  );
}
