/** Every address of the console. Feature folders link to each other through these. */
export const paths = {
  signIn: '/sign-in',
  contacts: '/contacts',
  contact: (contact: string) => `/contacts/${encodeURIComponent(contact)}`,
  domains: '/domains',
  domain: (name: string) => `/domains/${encodeURIComponent(name)}`,
} as const;
