/** A list item, with the items below it. */
export type Item = { text: string; items: Item[] };
export type Release = { version: string; paragraphs: string[]; items: Item[] };

/** Reads CHANGELOG.md: releases with a sentence or two, and lists in lists. */
export function parseChangelog(text: string): Release[] {
  const releases: Release[] = [];
  for (const line of text.split('\n')) {
    const version = /^## \[([^\]]+)\]/.exec(line)?.[1];
    if (version !== undefined) releases.push({ version, paragraphs: [], items: [] });
    const release = releases.at(-1);
    if (release === undefined || version !== undefined) continue;
    const [, indent = '', item] = /^( *)- (.*)$/.exec(line) ?? [];
    if (item !== undefined) addItem(release.items, indent.length / 2, { text: item, items: [] });
    else if (line.trim() !== '') release.paragraphs.push(line.replace(/^#+ /, ''));
  }
  return releases;
}

function addItem(items: Item[], depth: number, item: Item): void {
  const last = items.at(-1);
  if (depth < 1 || last === undefined) items.push(item);
  else addItem(last.items, depth - 1, item);
}

export type Words = { text: string; as: 'strong' | 'code' | 'plain' };

/** Of a link, only its words: a document of the project isn't served. */
export function parseWords(text: string): Words[] {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part.startsWith('**')) return { text: part.slice(2, -2), as: 'strong' };
      if (part.startsWith('`')) return { text: part.slice(1, -1), as: 'code' };
      return { text: part, as: 'plain' };
    });
}
