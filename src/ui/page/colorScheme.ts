import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { onSettingChange, readSetting, useSetting, writeSetting } from './settings.ts';

// Light, dark, or as the system. index.html reads the setting before the first paint.

const SETTING = 'theme';

/** `auto` is as the system. */
export type Theme = MantineColorScheme;

const toTheme = (setting: string | null): Theme => (setting === 'light' || setting === 'dark' ? setting : 'auto');

export const useTheme = (): Theme => toTheme(useSetting(SETTING));
export const setTheme = (theme: Theme): void => writeSetting(SETTING, theme === 'auto' ? null : theme);

let stop: (() => void) | undefined;

/** Follows the setting, also from another tab. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: () => toTheme(readSetting(SETTING)),
  set: () => {},
  subscribe: (apply) => {
    stop = onSettingChange(() => apply(toTheme(readSetting(SETTING))));
  },
  unsubscribe: () => stop?.(),
  clear: () => setTheme('auto'),
};
