import { useSetting, writeSetting } from '../ui/page/settings.ts';
import { textParam, useUrlState } from '../url/urlState.ts';

/** IDs of shown columns, and of hidden ones with a minus. The ID of an attribute may have a space. */
export const columnsParam = textParam;

const PARAMS = { columns: columnsParam };

const settingOf = (what: string) => `columns-${what}`;

export type ColumnChoice = {
  /** As in `columnsParam`: of the link, else of this browser; null for the default. */
  chosen: string | null;
  isOfLink: boolean;
  choose: (choice: string | null) => void;
};

export function useColumnChoice(what: string): ColumnChoice {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const setting = useSetting(settingOf(what));
  const [{ columns }, change] = useUrlState(PARAMS);
  const isOfLink = columns !== '';
  return {
    chosen: isOfLink ? columns : setting,
    isOfLink,
    choose: (choice) =>
      isOfLink ? change({ columns: choice ?? '' }, { replace: true }) : writeSetting(settingOf(what), choice),
  };
}

/** Other columns depend on the window's width. */
export const parseChoice = (choice: string | null): ReadonlyMap<string, boolean> =>
  new Map(
    (choice ?? '').split(' ').map((word) => {
      const id = word.replace(/^-/, '').replaceAll('%20', ' ').replaceAll('%25', '%');
      return [id, !word.startsWith('-')];
    }),
  );
