/** Every address of the console. Feature folders link to each other through these. */
export const paths = {
  signIn: '/sign-in',
  contacts: '/contacts',
  contact: (contact: string) => `/contacts/${segment(contact)}`,
  desk: '/desk',
  domains: '/domains',
  domain: (name: string) => `/domains/${segment(name)}`,
} as const;

/** What a service sends may hold half a character, for which there is no escape. */
const segment = (value: string) => encodeURIComponent(value.toWellFormed());

/** Any host: a path that leads away from it leads away from every other. */
const HERE = 'https://console.invalid';

/**
 * Where to go on after the sign-in: `wanted`, where that is a path of the console, or else the first page. What begins with two
 * slashes is the name of a host to a browser, and so is what has a backslash, or what is between them left out.
 */
export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(wanted)) return paths.contacts;
  const url = URL.parse(wanted, HERE);
  const isOwn = url !== null && url.origin === HERE && !url.pathname.startsWith('//');
  return isOwn ? wanted : paths.contacts;
}
