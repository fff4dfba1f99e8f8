import { readSetting, useSetting, writeSetting } from '../../../ui/page/settings.ts';

const visitSetting = (workspace: string) => `domains-seen-${workspace}`;

/** The setting: when the visit before this one ended, or `-`, and when the page was last shown. */
function parseVisit(setting: string | null) {
  const [before = '-', last = '-'] = (setting ?? '').split(' ');
  return { before: toTime(before), last: toTime(last) };
}

const toTime = (text: string) => (Number.isNaN(Date.parse(text)) ? null : text);

/** When this browser last showed the domains of the workspace, before this visit; null for never. */
export const useLastVisit = (workspace: string): string | null =>
  parseVisit(useSetting(visitSetting(workspace))).before;

/** Milliseconds without the page until the next visit begins. */
const PAUSE = 30 * 60_000;

/** To be called whenever the domains of the workspace are shown. */
export function recordVisit(workspace: string, now = new Date()): void {
  const setting = visitSetting(workspace);
  const { before, last } = parseVisit(readSetting(setting));
  const isNew = last !== null && now.getTime() - Date.parse(last) > PAUSE;
  writeSetting(setting, `${(isNew ? last : before) ?? '-'} ${now.toISOString()}`);
}
