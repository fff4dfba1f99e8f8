import { SETTINGS, type Setting } from '../server/settings/settings.ts';

/** The table of all settings in docs/operations.md. */
export function settingsTable(): string {
  const rows = Object.values<Setting>(SETTINGS).map(
    ({ name, default: text, defaultText, meaning, isSecret = false }) => {
      const file = isSecret ? ` Or put it into a file named by \`${name}_FILE\` ([secrets](#secrets)).` : '';
      return `| \`${name}\` | ${defaultText ?? (text ? `\`${text}\`` : 'none')} | ${meaning}${file} |\n`;
    },
  );
  return ['| Setting | Default | Meaning |\n', '|---|---|---|\n', ...rows]
    .join('')
    .replaceAll('](operations.md#', '](#');
}
