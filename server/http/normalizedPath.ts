/**
 * The path of a URL that is not properly encoded, with every character taken literally and encoded. The result is always a path
 * on this host: a browser would take a leading `//` or `/\` for the start of another host.
 */
export function normalizedPath(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:[/\\]*[^/\\?]*/i, '').replace(/^[/\\]*/, '/');
  return path.replaceAll('%', '%25').replaceAll('\\', '%5C');
}
