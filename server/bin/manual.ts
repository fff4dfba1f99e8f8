import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { additions } from '#contract/openapi/allAdditions.ts';
import { openApi } from '#contract/openapi/openapi.ts';
import { letReaderStop } from '../cli/terminal/letReaderStop.ts';

// The manual in the package: its pages, and files that an operator copies.

letReaderStop(1);

/** The folder of the package: this file is in `bin` there, and in `server/bin` of the sources. */
const ROOT = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../..' : '..');
const DOCS = join(ROOT, 'docs');

export async function printFile(path: string): Promise<void> {
  process.stdout.write(await readFile(join(ROOT, path)));
}

/** Where the manual is and which pages it has, or the page of that name. */
export async function printDocs([name]: readonly string[]): Promise<void> {
  const pages = (await readdir(DOCS))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length));
  if (name === undefined) {
    console.log([`The manual is in ${DOCS}`, ...pages.toSorted().map((page) => `  sendroom docs ${page}`)].join('\n'));
  } else if (pages.includes(name)) {
    await printFile(`docs/${name}.md`);
  } else {
    refuse(`There is no page ${JSON.stringify(name)}. The pages are ${pages.toSorted().join(', ')}.`);
  }
}

export async function printAlerts([name]: readonly string[]): Promise<void> {
  if (name === undefined) await printFile('docs/alerts/sendroom.rules.yml');
  else if (name === 'dashboard') await printFile('docs/grafana/sendroom.json');
  else refuse('Run sendroom alerts, or sendroom alerts dashboard.');
}

export function printOpenApi(): void {
  process.stdout.write(`${JSON.stringify(openApi({ additions, hasRoles: true }), null, 2)}\n`);
}

function refuse(sentence: string): void {
  console.error(sentence);
  process.exitCode = 2;
}
