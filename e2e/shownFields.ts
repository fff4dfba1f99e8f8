// Where each string of the responses of hostileService.ts is shown, by the names that it gives them.

export const NAMES = ['first_name', 'last_name'].map((name) => `contact.attributes.${name}`);
const FURTHER = ['email', 'phone', 'company', 'job_title'].map((name) => `contact.attributes.${name}`);
const [, , COMPANY = ''] = FURTHER;
export const [EMAIL = ''] = FURTHER;
const ANY = [' name', ' value', ' name within', ' value within'];
const KNOWN = ['first_name', 'last_name', 'email', 'phone', 'company', 'job_title'];
export const attributesOf = (noun: string) => [
  ...KNOWN.map((name) => `${noun}.attributes.${name}`),
  ...ANY.map((any) => `${noun}.attributes${any}`),
];

/** The fields that each screen shows. */
export const SHOWN = {
  shell: ['session.name'],
  'look-up': ['session.identity_field'],
  overview: [
    'overview.unsubscribes.by.actor.name',
    'overview.changes.action',
    'overview.changes.actor.name',
    'overview.changes.fields',
    'overview.changes.contact.name',
  ],
  contacts: [...NAMES, EMAIL, COMPANY, 'contact.created_at', 'contact.updated_at'],
  contact: [
    ...attributesOf('contact'),
    'activity.names.event_name',
    'contact.uuid',
    'contact.provider',
    'contact.created_at',
    'contact.updated_at',
  ],
  events: ['event.event_name', 'event.created_at', ...attributesOf('event')],
  history: [
    'change.action',
    'change.created_at',
    'change.actor.name',
    'change.request_id',
    'change.reason',
    'change.changes.field',
    'change.changes.before',
    'change.changes.after',
  ],
  activity: [
    'log.created_at',
    'log.actor.name',
    'log.action',
    'log.fields',
    'log.reason',
    'log.contact.name',
    'log.run',
    'log.request_id',
  ],
  people: ['email', 'name', 'role', 'source', 'created_at', 'last_seen_at'].map((name) => `member.${name}`),
  tokens: ['name', 'role', 'created_at', 'expires_at', 'last_used_on'].map((name) => `token.${name}`),
  'a new token': ['token.secret'],
  sessions: ['person.name', 'person.email', 'created_at', 'seen_at', 'expires_at'].map((name) => `signedIn.${name}`),
  domains: [
    'domain.name',
    'domain.status',
    'domain.verification',
    'domain.provider',
    'domain.mail_from_domain',
    'domain.created_at',
  ],
  domain: [
    'domain.uuid',
    'domain.name',
    'domain.status',
    'domain.verification',
    'domain.provider',
    'domain.mail_from_domain',
    'domain.created_at',
    'domain.updated_at',
    'domain.dns.type',
    'domain.dns.name',
    'domain.dns.value',
  ],
  addresses: [
    'address.full_address',
    'address.display_name',
    'address.verification',
    'address.provider',
    'address.created_at',
  ],
  check: [
    'expected',
    'found',
    'diagnosis',
    'dig',
    ...['todo', 'type', 'host', 'name', 'value'].map((name) => `fix.${name}`),
    ...['server', 'address', 'answer'].map((name) => `evidence.${name}`),
    ...['name', 'type', 'value'].map((name) => `evidence.records.${name}`),
  ].map((name) => `check.finding.${name}`),
  advice: ['check.about'],
  matrix: ['check.finding.code', 'check.finding.diagnosis'],
  refusal: ['problem.detail', 'problem.errors.field', 'problem.errors.message'],
  'refusal in few words': ['problem.title'],
} as const satisfies Record<string, readonly string[]>;

/** Fields that no screen shows as text: IDs that only files and copies have, and fields without meaning for a user. */
export const NEVER_SHOWN = [
  'session.workspace_uuid',
  'session.capabilities',
  // A word of the console stands for it.
  'session.role',
  ...['uuid', 'name', 'email'].map((name) => `session.person.${name}`),
  ...['uuid', 'name', 'role'].map((name) => `session.workspaces.${name}`),
  ...['member', 'token', 'signedIn'].map((noun) => `${noun}.uuid`),
  // A badge says whether.
  'token.revoked_at',
  // Only shown of a session without a person.
  'signedIn.token',
  'event.uuid',
  'change.uuid',
  'change.run',
  'log.uuid',
  // Only shown without a name.
  ...['change', 'log', 'overview.changes', 'overview.unsubscribes.by'].flatMap((noun) =>
    ['kind', 'uuid', 'email'].map((name) => `${noun}.actor.${name}`),
  ),
  'log.contact.uuid',
  'log.contact.address',
  // Only what is about no contact has them.
  ...[...KNOWN.map((name) => `.${name}`), ...ANY].map((name) => `log.details${name}`),
  // Only shown without a name.
  'overview.changes.contact.address',
  'address.uuid',
  'address.domain_uuid',
  'address.updated_at',
  // Only shown without a `full_address`.
  'address.address',
  'domain.domain',
  'check.finding.zone',
  'problem.type',
  'problem.request_id',
];
