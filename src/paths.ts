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
