import { SETTINGS, type Setting } from '../server/settings/settings.ts';

/** The table of all settings in `document`. */
export function settingsTable(document: 'README.md' | 'docs/operations.md'): string {
  const rows = Object.values<Setting>(SETTINGS).map(
    ({ name, default: text, defaultText, meaning, isSecret = false }) => {
      const file = isSecret
        ? ` Or \`${name}_FILE\` names a file that holds it ([secrets](operations.md#secrets)).`
        : '';
      return `| \`${name}\` | ${defaultText ?? (text ? `\`${text}\`` : 'none')} | ${meaning}${file} |\n`;
    },
  );
  const table = ['| Setting | Default | Meaning |\n', '|---|---|---|\n', ...rows].join('');
  return document === 'README.md' ? table.replaceAll('](', '](docs/') : table.replaceAll('](operations.md#', '](#');
}
