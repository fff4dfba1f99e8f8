import { useSetting } from '../ui/page/settings.ts';

/** Its value: IDs of shown columns, and of hidden ones with a minus. */
export const settingOf = (what: string) => `columns-${what}`;

/** Other columns depend on the window's width. */
export const parseChoice = (setting: string | null): ReadonlyMap<string, boolean> =>
  new Map((setting ?? '').split(' ').map((word) => (word.startsWith('-') ? [word.slice(1), false] : [word, true])));

type Column = { id: string; from?: string };

/** The first column names the row and always shows. */
export function useShownColumns<C extends Column>(what: string | null, columns: readonly C[]): readonly C[] {
  const setting = useSetting(settingOf(what ?? ''));
  if (what === null || setting === null) return columns;
  const choice = parseChoice(setting);
  return columns.flatMap((column, index) => {
    const isShown = choice.get(column.id);
    if (isShown === undefined || index === 0) return column;
    return isShown ? { ...column, from: undefined } : [];
  });
}
