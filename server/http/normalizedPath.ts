/**
 * The path that the maker of a link meant who forgot to encode it: every sign is then meant as it stands. It is one of our own
 * whatever `url` is; a browser would take `//` and `/\` for the start of another host.
 */
export function normalizedPath(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:[/\\]*[^/\\?]*/i, '').replace(/^[/\\]*/, '/');
  return path.replaceAll('%', '%25').replaceAll('\\', '%5C');
}
