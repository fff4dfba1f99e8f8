/** Every path of the console. Feature folders link to each other through these. */
export const paths = {
  overview: '/',
  signIn: '/sign-in',
  contacts: '/contacts',
  contact: (contact: string) => `/contacts/${segment(contact)}`,
  bulk: '/desk',
  domains: '/domains',
  activity: '/activity',
  /** What somebody did; `actor` is their UUID, or what kind of actor it is. */
  activityOf: (actor: string) => `/activity?actor=${segment(actor)}`,
  activityOfRun: (run: string) => `/activity?search=${segment(run)}`,
  people: '/people',
  tokens: '/tokens',
  sessions: '/sessions',
  domain: (name: string) => `/domains/${segment(name)}`,
} as const;

/** A service may send half a surrogate pair, which encodeURIComponent throws on. */
const segment = (value: string) => encodeURIComponent(value.toWellFormed());
