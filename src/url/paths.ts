/** Every path of the console. */
export const paths = {
  overview: '/',
  signIn: '/sign-in',
  contacts: '/contacts',
  /** `query` is not a segment, but written as in a link. */
  contactsWith: (query: string) => (query === '' ? '/contacts' : `/contacts?${query}`),
  contactsBy: (filter: string) => `/contacts?filter=${segment(filter)}`,
  contact: (contact: string) => `/contacts/${segment(contact)}`,
  importContacts: '/import',
  suppressions: '/suppressions',
  /** `actor` as in `activityOf`. */
  suppressionsBy: (actor: string) => `/suppressions?actor=${segment(actor)}`,
  bulk: '/desk',
  /** Opens a run that the service keeps. */
  bulkOfRun: (run: string) => `/desk?run=${segment(run)}`,
  /** Contacts that a run unsubscribed. */
  contactsOfRun: (run: string) => `/contacts?filter=${segment(`run:${run}`)}`,
  runs: '/runs',
  runsOf: (run: string) => `/runs?run=${segment(run)}`,
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

/** The state of a location that a link to a saved view opens. */
export const OPENED_VIEW = 'view';
