import { Button } from '@mantine/core';
import { formatCount } from '../ui/format/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { ADDED_STAY } from './countOf.ts';
import { Faults } from './Faults.tsx';
import classes from './Import.module.css';
import { type ImportState, startOver } from './importStore.ts';

export function EndedImport({ ended: { run, refused } }: { ended: NonNullable<ImportState['ended']> }) {
  const { added = 0, added_unsubscribed = 0, changed = 0, unchanged = 0, refused: bad = 0 } = run.imported ?? {};
  const counts: [count: number, words: string][] = [
    [added, 'added'],
    [added_unsubscribed, 'of them unsubscribed'],
    [changed, 'changed'],
    [run.unsubscribed ?? 0, 'of them unsubscribed'],
    [run.recorded ?? 0, 'of them already unsubscribed (reason recorded)'],
    [unchanged, 'unchanged'],
    [bad, 'not imported'],
  ];
  const text = counts.flatMap(([count, words]) => (count > 0 ? [`${formatCount(count)} ${words}`] : [])).join(', ');
  return (
    <>
      <Notice
        tone="good"
        title="Imported"
        actions={
          <>
            <Button size="xs" onClick={startOver}>
              Import another file
            </Button>
            <Link to={paths.runsOf(run.uuid)}>{changed > 0 ? 'Undo in Bulk runs' : 'Bulk runs'}</Link>
            <Link to={paths.activityOfRun(run.uuid)}>Log</Link>
          </>
        }
      >
        {text === '' ? 'Nothing changed.' : `Lines: ${text}.`} {added > 0 && ADDED_STAY}
      </Notice>
      {refused.length > 0 && (
        <section className={classes.part} aria-label="Not imported">
          <Faults lines={refused} title="Not imported" />
        </section>
      )}
    </>
  );
}
