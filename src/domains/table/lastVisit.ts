import { useSetting } from '../../ui/page/settings.ts';

export const visitSetting = (workspace: string) => `domains-seen-${workspace}`;

/** The setting: when the visit before this one ended, or `-`, and when the page was last shown. */
export function parseVisit(setting: string | null) {
  const [before = '-', last = '-'] = (setting ?? '').split(' ');
  return { before: toTime(before), last: toTime(last) };
}

const toTime = (text: string) => (Number.isNaN(Date.parse(text)) ? null : text);

/** When this browser last showed the domains of the workspace, before this visit; null for never. */
export const useLastVisit = (workspace: string): string | null =>
  parseVisit(useSetting(visitSetting(workspace))).before;
