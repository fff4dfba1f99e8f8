import { Event } from '#contract/event.ts';
import { Change, listContactChanges } from '#contract/change.ts';
import { listContactEvents } from '#contract/interface.ts';
import { UUID } from '#contract/values/field.ts';
import { ListMenu } from '../../table/ListMenu.tsx';
import { ListToolbar } from '../../table/ListToolbar.tsx';
import { SearchInput } from '../../table/SearchInput.tsx';
import { toListQuery, type ListControl } from '../../table/useList.ts';
import { Choice } from '../../ui/Choice.tsx';
import { usePageActions } from '../../ui/page/actions.ts';
import { eventColumns } from './EventTable.tsx';
import { VIEWS, type View } from './useStoryView.ts';

const ORDERS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
] as const;

type Props = {
  contact: string;
  list: ListControl;
  view: View;
  isFiltered: boolean;
  hasLog: boolean;
  total: number | undefined;
  onView: (view: View) => void;
};

export function StoryToolbar({ contact, list, view, isFiltered, hasLog, total, onView }: Props) {
  const { sort } = list.state;
  const views = VIEWS.filter(({ value }) => hasLog || value !== 'changes');
  usePageActions(
    views
      .filter(({ value }) => value !== view)
      .map(({ value, action }) => ({ id: `view ${value}`, label: action, run: () => onView(value) })),
  );
  return (
    <ListToolbar>
      <Choice label="Show" value={view === 'story' && isFiltered ? null : view} choices={views} onChange={onView} />
      {view !== 'changes' && <SearchInput list={list} label="Search events" placeholder="Search by event name" />}
      {view !== 'changes' && sort.id === 'created_at' && (
        <Choice
          label="Order"
          value={sort.desc ? 'newest' : 'oldest'}
          choices={ORDERS}
          onChange={(order) => list.change({ sort: { id: 'created_at', desc: order === 'newest' } })}
        />
      )}
      <Export {...{ contact, list, view, total }} />
    </ListToolbar>
  );
}

function Export({ contact, list, view, total }: Pick<Props, 'contact' | 'list' | 'view' | 'total'>) {
  const { page, perPage } = list.state;
  // An identity is personal data: not in a file name.
  const fileName = (what: string) => (UUID.test(contact) ? `${what}-of-${contact}` : what);
  if (view === 'changes') {
    const source = {
      what: 'changes',
      endpoint: listContactChanges,
      input: { contact, query: { page, per_page: perPage } },
      columns: ['contact', ...Object.keys(Change.shape)],
      common: { contact },
      fileName: 'changes-of-contact',
    };
    return <ListMenu source={source} total={total} />;
  }
  const source = {
    what: 'events',
    endpoint: listContactEvents,
    input: { contact, query: toListQuery(list.state) },
    columns: ['contact', ...Object.keys(Event.shape)],
    common: { contact },
    fileName: fileName('events'),
  };
  return <ListMenu source={source} total={total} {...(view === 'table' && { columns: eventColumns })} />;
}
