/** Every path of the console. Feature folders link to each other through these. */
export const paths = {
  overview: '/',
  signIn: '/sign-in',
  contacts: '/contacts',
  contact: (contact: string) => `/contacts/${segment(contact)}`,
  desk: '/desk',
  domains: '/domains',
  domain: (name: string) => `/domains/${segment(name)}`,
} as const;

/** A service may send half a surrogate pair, which encodeURIComponent throws on. */
const segment = (value: string) => encodeURIComponent(value.toWellFormed());
