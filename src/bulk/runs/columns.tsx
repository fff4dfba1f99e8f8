import { listContacts } from '#contract/additions.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import type { ReadableBulkRun } from '#contract/runs/runs.ts';
import { describeActor } from '../../identity/describeChange.ts';
import { describeSuppression } from '../../identity/describeSuppression.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import type { Column } from '../../table/DataTable.tsx';
import { formatCount } from '../../ui/format/formatCount.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { Nothing } from '../../ui/values/Nothing.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { EndCut, UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { undoImport } from '#contract/imports.ts';
import { UndoImport } from './UndoImport.tsx';
import { ApproveRun, whyNoApproval } from './ApproveRun.tsx';
import { describeState } from './describeState.ts';
import classes from './Runs.module.css';

export const columns: readonly Column<ReadableBulkRun>[] = [
  { id: 'started_at', header: 'Started', cell: ({ started_at }) => <DateTime value={started_at} />, width: 112 },
  {
    id: 'author',
    header: 'By',
    cell: ({ author }) => (author === null ? <Nothing /> : <EndCut text={describeActor(author)} />),
    width: 82,
  },
  { id: 'why', header: 'Why', cell: (run) => <Why run={run} />, width: 88 },
  { id: 'counts', header: 'Contacts', cell: (run) => <Counts run={run} />, width: 118 },
  { id: 'state', header: 'State', cell: (run) => <State run={run} />, width: 122 },
  { id: 'actions', header: 'Actions', cell: (run) => <Actions run={run} />, width: 136, align: 'end' },
];

function Why({ run: { reason, ticket, imported } }: { run: ReadableBulkRun }) {
  if (imported !== null) {
    const { file, source } = imported;
    return (
      <span className={classes.wrapped}>
        <UntrustedText text={file === null ? 'Import' : `Import of ${file}`} />
        <small>
          <UntrustedText text={source} />
        </small>
      </span>
    );
  }
  const text = describeSuppression({ reason, ticket, origin: null });
  return text === '' ? <Nothing /> : <UntrustedText className={classes.wrapped} text={text} />;
}

/** What came of its contacts; what is zero is left out. */
export function describeCounts(run: ReadableBulkRun): string {
  const { added = 0, added_unsubscribed = 0, changed = 0, unchanged = 0, refused = 0 } = run.imported ?? {};
  const parts: [count: number | null, words: string][] = [
    [added, 'added'],
    [added_unsubscribed, 'of them unsubscribed'],
    [changed, 'changed'],
    [unchanged, 'unchanged'],
    [refused, 'not imported'],
    [run.unsubscribed, 'unsubscribed'],
    [run.resubscribed, 'subscribed again'],
    [run.recorded, 'already unsubscribed (reason recorded)'],
    [run.already, 'already unsubscribed'],
    [run.left, 'left'],
    [run.missing, 'not found'],
  ];
  return parts
    .flatMap(([count, words]) => ((count ?? 0) > 0 ? [`${formatCount(count ?? 0)} ${words}`] : []))
    .join(', ');
}

function Counts({ run }: { run: ReadableBulkRun }) {
  return (
    <span className={classes.wrapped}>
      {describeCounts(run) || `${formatCount(run.received)} of ${formatCount(run.entries)} entries`}
      {run.digest !== null && (
        <small title={run.digest}>
          SHA-256 of the list: <UntrustedText text={run.digest.slice(0, 12)} />
        </small>
      )}
    </span>
  );
}

function State({ run }: { run: ReadableBulkRun }) {
  const { state, approved_by, approved_at, deleted_at } = run;
  const { person } = useSession();
  const refusal = state === 'waiting' ? whyNoApproval(run, person) : null;
  const { words, tone, extent } = describeState(run);
  return (
    <span className={classes.wrapped}>
      <StatusBadge tone={tone}>{words}</StatusBadge>
      {extent !== undefined && <small>{extent}</small>}
      {refusal !== null && <small>{refusal}</small>}
      {state === 'incomplete' && run.imported !== null && <small>Choose its file again to continue.</small>}
      {approved_by !== null && (
        <small>
          Approved by <UntrustedText text={describeActor(approved_by)} />, <DateTime value={approved_at} />
        </small>
      )}
      <small>
        Kept until <DateTime value={deleted_at} />
      </small>
    </span>
  );
}

function describeOpening({ state, unsubscribed, resubscribed }: ReadableBulkRun): string {
  if (state === 'open') return 'Continue or undo';
  return (unsubscribed ?? 0) > (resubscribed ?? 0) ? 'Receipt and undo' : 'Receipt';
}

function Actions({ run }: { run: ReadableBulkRun }) {
  const mayUnsubscribe = useMissingRole(unsubscribeContact) === null;
  const mayUndo = useMissingRole(undoImport) === null;
  const canList = useCapability(listContacts);
  if (run.imported !== null) {
    const isUndoable = mayUndo && run.state !== 'undone' && run.imported.changed > 0;
    return (
      <span className={classes.actions}>
        {isUndoable && <UndoImport run={run} />}
        {mayUndo && run.imported.changed === 0 && run.imported.added > 0 && <small>Added contacts stay</small>}
        <Link to={paths.activityOfRun(run.uuid)}>Log</Link>
      </span>
    );
  }
  const isWhole = run.state !== 'incomplete' && run.state !== 'waiting';
  return (
    <span className={classes.actions}>
      {run.state === 'waiting' && mayUnsubscribe && <ApproveRun run={run} />}
      {isWhole && mayUnsubscribe && <Link to={paths.bulkOfRun(run.uuid)}>{describeOpening(run)}</Link>}
      {canList && (run.unsubscribed ?? 0) > 0 && <Link to={paths.contactsOfRun(run.uuid)}>Contacts</Link>}
      <Link to={paths.activityOfRun(run.uuid)}>Log</Link>
    </span>
  );
}
