import { paths } from '../paths.ts';

/** Any host: a path that leads away from it leads away from every other. */
const HERE = 'https://console.invalid';

/**
 * Where to go on after the sign-in: `wanted`, where that is a path of the console, or else the first page. What begins with two
 * slashes is the name of a host to a browser, and so is what has a backslash, or what is between them left out.
 */
export function toReturnPath(requestedPath: unknown): string {
  if (typeof requestedPath !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(requestedPath)) return paths.contacts;
  const url = URL.parse(requestedPath, HERE);
  const isOwn = url !== null && url.origin === HERE && !url.pathname.startsWith('//');
  return isOwn ? requestedPath : paths.contacts;
}
