import { Button } from '@mantine/core';
import { Dialog } from '../ui/Dialog.tsx';
import { parseChoice, useColumnChoice } from './useColumnChoice.ts';
import classes from './ColumnsDialog.module.css';

export type ChoosableColumn = {
  id: string;
  header: string;
  from?: 'medium' | 'wide' | 'widest';
  /** Hidden unless it's chosen. */
  isOptional?: true;
};

type Props = { what: string; columns: readonly ChoosableColumn[]; onClose: () => void };

export function ColumnsDialog({ what, columns, onClose }: Props) {
  const { chosen, isOfLink, choose: write } = useColumnChoice(what);
  const choice = parseChoice(chosen);
  const choose = (column: ChoosableColumn, isShown: boolean) => {
    const next = columns.flatMap(({ id }) => {
      const wanted = id === column.id ? isShown : choice.get(id);
      // The default isn't kept: a narrower window may show less.
      if (wanted === undefined || (id === column.id && wanted === showsByWidth(column))) return [];
      return (wanted ? '' : '-') + id.replaceAll('%', '%25').replaceAll(' ', '%20');
    });
    write(next.length === 0 ? null : next.join(' '));
  };
  return (
    <Dialog title={`Columns of ${what}`} closable onClose={onClose}>
      <p className="note">
        {isOfLink ? 'Part of this link.' : 'Saved in this browser.'} An exported file has all fields.
      </p>
      <fieldset className={classes.columns}>
        <legend className="visually-hidden">Shown columns</legend>
        {columns.slice(1).map((column) => (
          <label key={column.id}>
            <input
              type="checkbox"
              checked={choice.get(column.id) ?? showsByWidth(column)}
              onChange={({ currentTarget: { checked } }) => choose(column, checked)}
            />
            {column.header}
          </label>
        ))}
      </fieldset>
      <div>
        <Button size="xs" variant="default" disabled={chosen === null} onClick={() => write(null)}>
          Reset to default
        </Button>
      </div>
    </Dialog>
  );
}

/** As in DataTable.module.css. */
function showsByWidth({ from, isOptional }: ChoosableColumn): boolean {
  if (isOptional) return false;
  const width = { medium: 600, wide: 1100, widest: 1400 };
  return from === undefined || !window.matchMedia(`(max-width: ${width[from]}px)`).matches;
}
