import { Actor } from '#contract/change.ts';
import { listChanges, LogLine, type ReadableLogLine } from '#contract/auditLog.ts';
import { hasVisibleText } from '#contract/values/invisibleCharacters.ts';
import { describeActor } from '../identity/describeChange.ts';
import { useCapability } from '../session/useSession.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { DeletedNote } from '../table/DeletedNote.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListFacts, ListToolbar } from '../table/ListToolbar.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { SearchInput } from '../table/SearchInput.tsx';
import { toDayQuery } from '../table/filters/dayRange.ts';
import { useList } from '../table/useList.ts';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useTimeZone } from '../ui/format/time.ts';
import { Nothing } from '../ui/values/Nothing.tsx';
import { CutId, EndCut } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './AuditLogPage.module.css';
import { describeLine } from './describeLine.ts';
import { LogFilters } from './LogFilters.tsx';
import { LOG, logQuery } from './queries.ts';

const columns: readonly Column<ReadableLogLine>[] = [
  { id: 'created_at', header: 'When', cell: (line) => <DateTime value={line.created_at} />, width: 112 },
  { id: 'actor', header: 'Who', cell: (line) => <Who line={line} />, width: 130 },
  { id: 'action', header: 'What', cell: (line) => <What line={line} />, width: 'auto' },
  { id: 'contact', header: 'Contact', cell: (line) => <Contact line={line} />, width: 160 },
  { id: 'run', header: 'Run', cell: (line) => <Run line={line} />, width: 120, from: 'wide' },
  { id: 'request_id', header: 'Request', cell: (line) => <Request line={line} />, width: 140, from: 'wide' },
];

/** Actor and contact in separate cells, for sorting. */
const CSV_COLUMNS = Object.keys(LogLine.shape).flatMap((field) => {
  if (field === 'actor') return Object.keys(Actor.shape).map((part) => `actor.${part}`);
  if (field === 'contact') return ['contact.uuid', 'contact.name', 'contact.address'];
  return [field];
});

const HINT = 'Actions of people and programs in this workspace appear here.';

export function AuditLogPage() {
  const hasLog = useCapability(listChanges);
  if (hasLog) return <AuditLog />;
  return (
    <>
      <PageTitle title="Audit log" />
      <p className="soft">This service has no audit log that the console can read.</p>
    </>
  );
}

function AuditLog() {
  const zone = useTimeZone();
  const { list, query } = useList(LOG, logQuery(zone));
  const source = {
    what: 'log entries',
    endpoint: listChanges,
    input: { query: toDayQuery(list.state, zone) },
    columns: CSV_COLUMNS,
    fileName: 'audit-log',
  };
  return (
    <>
      <PageTitle title="Audit log">
        <ListFacts query={query} />
      </PageTitle>
      <ListToolbar>
        <SearchInput list={list} label="Search the audit log" placeholder="Search by who or ID" />
        <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
      </ListToolbar>
      <LogFilters list={list} lines={query.data?.data} />
      <DataTable
        what="log entries"
        columns={columns}
        query={query}
        list={list}
        choosable
        empty={<ListEmpty list={list} what="entry" hint={HINT} />}
      />
      <DeletedNote of="log" />
    </>
  );
}

type CellProps = { line: ReadableLogLine };

function What({ line }: CellProps) {
  const zone = useTimeZone();
  const text = <EndCut text={describeLine(line, zone)} />;
  return line.action === 'run_approve' && line.run !== null ? <Link to={paths.runsOf(line.run)}>{text}</Link> : text;
}

/** Links to the actor's other actions. */
function Who({ line: { actor } }: CellProps) {
  if (actor === null) return <Nothing />;
  const name = describeActor(actor);
  const key = actor.uuid ?? actor.kind;
  return (
    <Link to={paths.activityOf(key)}>
      <EndCut text={hasVisibleText(name) ? name : key} />
    </Link>
  );
}

function Contact({ line: { contact } }: CellProps) {
  if (contact === null) return <Nothing />;
  const { uuid, name, address } = contact;
  const text = [name, address].find((one) => one !== null && hasVisibleText(one)) ?? uuid;
  return (
    <Link to={paths.contact(uuid)}>
      <EndCut text={text} />
    </Link>
  );
}

/** Links to all entries of the run. */
function Run({ line: { run } }: CellProps) {
  if (run === null) return <Nothing />;
  return (
    <Link to={paths.activityOfRun(run)} className={classes.id}>
      <CutId id={run} />
    </Link>
  );
}

function Request({ line: { request_id: id } }: CellProps) {
  if (id === null) return <Nothing />;
  return (
    <span className={classes.id}>
      <CutId id={id} />
      <CopyButton value={id} what="request ID" />
    </span>
  );
}
