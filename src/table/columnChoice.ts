import { useSetting } from '../ui/page/settings.ts';

/** The setting of a table: the ids of columns that are shown, and with a minus before it of those that are not. */
export const settingOf = (what: string) => `columns-${what}`;

/** The ids in a setting. A column that is not named shows as the width of the window has it. */
export const parseChoice = (setting: string | null): ReadonlyMap<string, boolean> =>
  new Map((setting ?? '').split(' ').map((word) => (word.startsWith('-') ? [word.slice(1), false] : [word, true])));

type Column = { id: string; from?: string };

/** The columns of a table that are chosen in this browser. The first one names the row, and always shows. */
export function useShownColumns<C extends Column>(what: string, columns: readonly C[]): readonly C[] {
  const setting = useSetting(settingOf(what));
  if (setting === null) return columns;
  const choice = parseChoice(setting);
  return columns.flatMap((column, index) => {
    const isShown = choice.get(column.id);
    if (isShown === undefined || index === 0) return column;
    return isShown ? { ...column, from: undefined } : [];
  });
}
