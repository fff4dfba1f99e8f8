import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from './settingsTable.ts';

// Writes the table of settings into the documents that have one.

for (const document of ['README.md', 'docs/operations.md'] as const) {
  const text = readFileSync(document, 'utf8');
  const table = /^\| Setting \| Default \| Meaning \|\n(?:\|.*\n)+/m;
  writeFileSync(
    document,
    text.replace(table, () => settingsTable(document)),
  );
}
