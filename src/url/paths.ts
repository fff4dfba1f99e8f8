/** Every path of the console. */
export const paths = {
  overview: '/',
  signIn: '/sign-in',
  contacts: '/contacts',
  contact: (contact: string) => `/contacts/${segment(contact)}`,
  suppressions: '/suppressions',
  /** `actor` as in `activityOf`. */
  suppressionsBy: (actor: string) => `/suppressions?actor=${segment(actor)}`,
  bulk: '/desk',
  domains: '/domains',
  addresses: '/addresses',
  activity: '/activity',
  /** `actor` is a UUID, or the kind of an actor without one. */
  activityOf: (actor: string) => `/activity?actor=${segment(actor)}`,
  activityOfRun: (run: string) => `/activity?search=${segment(run)}`,
  people: '/people',
  tokens: '/tokens',
  sessions: '/sessions',
  notifications: '/notifications',
  destination: (destination: string) => `/notifications/${segment(destination)}`,
  domain: (name: string) => `/domains/${segment(name)}`,
} as const;

/** `encodeURIComponent` throws on half a surrogate pair. */
const segment = (value: string) => encodeURIComponent(value.toWellFormed());
