import { readSetting, writeSetting } from '../../ui/page/settings.ts';
import { parseVisit, visitSetting } from './lastVisit.ts';

/** Milliseconds without the page until the next visit begins. */
const PAUSE = 30 * 60_000;

/** To be called whenever the domains of the workspace are shown. */
export function recordVisit(workspace: string, now = new Date()): void {
  const setting = visitSetting(workspace);
  const { before, last } = parseVisit(readSetting(setting));
  const isNew = last !== null && now.getTime() - Date.parse(last) > PAUSE;
  writeSetting(setting, `${(isNew ? last : before) ?? '-'} ${now.toISOString()}`);
}
