import { readSetting, useSetting, writeSetting } from './settings.ts';

const SETTING = 'single-keys';

/** People who dictate or hit keys by accident can turn keys without a modifier off (WCAG 2.1.4). */
export const areSingleKeysEnabled = (): boolean => readSetting(SETTING) !== 'off';
export const useSingleKeys = (): boolean => useSetting(SETTING) !== 'off';
export const setSingleKeys = (enabled: boolean): void => writeSetting(SETTING, enabled ? null : 'off');
