import { paths } from '../url/paths.ts';

/** Stands for the origin of the console. */
const HERE = 'https://console.invalid';

/**
 * Where to go after the sign-in: `requestedPath` where it is a path of the console, else the first page. Two slashes at
 * the beginning name another host. Browsers read a backslash as a slash, and drop control characters before they look.
 */
export function toReturnPath(requestedPath: unknown): string {
  if (typeof requestedPath !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(requestedPath)) return paths.overview;
  const url = URL.parse(requestedPath, HERE);
  const isOwn = url !== null && url.origin === HERE && !url.pathname.startsWith('//');
  return isOwn ? requestedPath : paths.overview;
}
