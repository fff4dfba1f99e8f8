import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from './settingsTable.ts';

// Writes the table of settings into docs/operations.md.

const DOCUMENT = 'docs/operations.md';
const table = /^\| Setting \| Default \| Meaning \|\n(?:\|.*\n)+/m;
writeFileSync(
  DOCUMENT,
  readFileSync(DOCUMENT, 'utf8').replace(table, () => settingsTable()),
);
