import { readSetting, useSetting, writeSetting } from '../../ui/page/settings.ts';

declare global {
  /** The newest version in CHANGELOG.md (vite.config.ts). */
  var NEWEST_VERSION: string;
}

const SETTING = 'news-seen';

/** Whether this browser has used an older version, and not opened what is new since. */
export function useIsNewsUnseen(): boolean {
  const seen = useSetting(SETTING);
  return seen !== null && seen !== NEWEST_VERSION;
}

export const setNewsSeen = (): void => writeSetting(SETTING, NEWEST_VERSION);

/** Who begins with this version has nothing new to see. */
export function startNews(): void {
  if (readSetting(SETTING) === null) setNewsSeen();
}
