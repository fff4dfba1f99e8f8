import { paths } from '../url/paths.ts';

const HERE = 'https://console.invalid';

/** Two leading slashes name another host, browsers read a backslash as a slash, and they ignore control characters. */
export function toReturnPath(requestedPath: unknown): string {
  if (typeof requestedPath !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(requestedPath)) return paths.overview;
  const url = URL.parse(requestedPath, HERE);
  const isOwn = url !== null && url.origin === HERE && !url.pathname.startsWith('//');
  return isOwn ? requestedPath : paths.overview;
}
