import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { setTheme, type Theme, useTheme } from '../ui/page/colorScheme.ts';
import { useGlobalActions } from '../ui/page/actions.ts';
import classes from './SessionMenu.module.css';

export const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the system' },
];

const ICONS = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };

/** The browser's own list, below an icon. */
export function ThemeSelect() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const theme = useTheme();
  useGlobalActions(
    THEMES.filter(({ value }) => value !== theme).map(({ value, label }) => ({
      id: `theme ${value}`,
      label: `Theme: ${label.toLowerCase()}`,
      run: () => setTheme(value),
    })),
  );
  const Icon = ICONS[theme];
  return (
    <label className={classes.theme} title="Theme">
      <Icon size={18} aria-hidden />
      <select aria-label="Theme" value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {THEMES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
