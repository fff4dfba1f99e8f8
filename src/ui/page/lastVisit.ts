import { readSetting, useSetting, writeSetting } from './settings.ts';

/** A page that says what changed since somebody was there. */
type VisitedPage = 'domains' | 'overview';

const visitSetting = (page: VisitedPage, workspace: string) => `${page}-seen-${workspace}`;

/** The setting: when the visit before this one ended, or `-`, and when the page was last shown. */
function parseVisit(setting: string | null) {
  const [before = '-', last = '-'] = (setting ?? '').split(' ');
  return { before: toTime(before), last: toTime(last) };
}

const toTime = (text: string) => (Number.isNaN(Date.parse(text)) ? null : text);

/** Milliseconds without the page until the next visit begins. */
const PAUSE = 30 * 60_000;

const isNewVisit = (last: string | null, now: Date): boolean =>
  last !== null && now.getTime() - Date.parse(last) > PAUSE;

/** When this browser last showed the page of the workspace, before this visit; null for never. */
export const useLastVisit = (page: VisitedPage, workspace: string): string | null =>
  parseVisit(useSetting(visitSetting(page, workspace))).before;

/** The same, before this visit is recorded. */
export function readLastVisit(page: VisitedPage, workspace: string, now = new Date()): string | null {
  const { before, last } = parseVisit(readSetting(visitSetting(page, workspace)));
  return isNewVisit(last, now) ? last : before;
}

/** To be called whenever the page of the workspace is shown. */
export function recordVisit(page: VisitedPage, workspace: string, now = new Date()): void {
  const before = readLastVisit(page, workspace, now);
  writeSetting(visitSetting(page, workspace), `${before ?? '-'} ${now.toISOString()}`);
}
