// Where each string of the responses of hostileService.ts is shown.

const of = (noun: string, ...fields: readonly string[]) => fields.map((field) => `${noun}.${field}`);
const inAttributes = (noun: string, names: readonly string[]) => of(`${noun}.attributes`, ...names);

const KNOWN = ['first_name', 'last_name', 'email', 'phone', 'company', 'job_title'];
const ANY = [' name', ' value', ' name within', ' value within'];
export const NAMES = inAttributes('contact', ['first_name', 'last_name']);
export const EMAIL = 'contact.attributes.email';
export const attributesOf = (noun: string) => [
  ...inAttributes(noun, KNOWN),
  ...ANY.map((any) => `${noun}.attributes${any}`),
];

export const SHOWN = {
  shell: ['session.name'],
  'look-up': ['session.identity_field'],
  overview: [
    'overview.unsubscribes.by.actor.name',
    'overview.today.reasons.reason',
    ...of('overview.changes', 'action', 'actor.name', 'fields', 'contact.name'),
  ],
  contacts: [...NAMES, EMAIL, ...of('contact', 'attributes.company', 'created_at', 'updated_at')],
  views: ['view.name'],
  contact: [
    ...attributesOf('contact'),
    'activity.names.event_name',
    ...of('contact', 'uuid', 'provider', 'created_at', 'updated_at'),
  ],
  erase: ['erasure.unclear.value'],
  events: [...of('event', 'event_name', 'created_at'), ...attributesOf('event')],
  history: [
    ...of('change', 'action', 'created_at', 'actor.name', 'request_id', 'reason'),
    ...of('change.changes', 'field', 'before', 'after'),
  ],
  activity: [
    ...of('log', 'created_at', 'actor.name', 'action', 'fields', 'reason', 'contact.name'),
    ...of('log', 'run', 'request_id'),
  ],
  people: of('member', 'email', 'name', 'role', 'source', 'created_at', 'last_seen_at'),
  tokens: of('token', 'name', 'role', 'created_at', 'expires_at', 'last_used_on'),
  'a new token': ['token.secret'],
  destinations: of('destination', 'name', 'address', 'rules.incidents.domains', 'disabled_reason', 'last_delivered_at'),
  destination: of('destination', 'disabled_at', 'fallback'),
  deliveries: of('delivery', 'title', 'error', 'next_at', 'ended_at'),
  'a test message': ['tested.detail'],
  'a new secret': of('created', 'secret', 'destination.name'),
  sessions: of('signedIn', 'person.name', 'person.email', 'created_at', 'seen_at', 'expires_at'),
  domains: [...of('domain', 'name', 'status', 'verification'), 'report.verdicts.code'],
  domain: [
    ...of('domain', 'uuid', 'name', 'status', 'verification', 'provider', 'mail_from_domain'),
    ...of('domain', 'created_at', 'updated_at', 'dns.type', 'dns.name', 'dns.value'),
  ],
  addresses: of('address', 'full_address', 'display_name', 'verification', 'provider', 'created_at'),
  'all addresses': of(
    'address',
    'full_address',
    'domain_name',
    'display_name',
    'verification',
    'provider',
    'created_at',
  ),
  'shared links': of('link', 'created_at', 'created_by'),
  'a new shared link': ['newLink.secret'],
  check: [
    ...of('check.finding', 'expected', 'found', 'diagnosis', 'dig'),
    ...of('check.finding.fix', 'todo', 'type', 'host', 'name', 'value'),
    ...of('check.finding.evidence', 'server', 'address', 'answer'),
    ...of('check.finding.evidence.records', 'name', 'type', 'value'),
  ],
  advice: ['check.about'],
  report: [
    ...of('report.verdicts.finding', 'code', 'expected', 'found', 'diagnosis', 'dig'),
    ...of('report.verdicts.finding.fix', 'todo', 'type', 'host', 'name', 'value'),
    ...of('report.verdicts.finding.evidence', 'server', 'address', 'answer'),
    ...of('report.verdicts.finding.evidence.records', 'name', 'type', 'value'),
    ...of('report.verdicts.accepted', 'reason', 'actor.name'),
  ],
  'domain history': [
    ...of('span', 'subject', 'code'),
    ...of('span.finding', 'diagnosis', 'found', 'dig'),
    ...of('span.finding.evidence', 'server', 'address', 'answer'),
    ...of('span.finding.evidence.records', 'name', 'type', 'value'),
    'report.dkim_keys.selector',
  ],
  'a check of the domains shown': ['check.finding.code'],
  refusal: of('problem', 'detail', 'errors.field', 'errors.message'),
  'refusal in few words': ['problem.title'],
} as const satisfies Record<string, readonly string[]>;

/** Fields that no screen shows as text. */
export const NEVER_SHOWN = [
  // Shown in words of the console.
  ...of('session', 'workspace_uuid', 'capabilities', 'role'),
  ...of('session.person', 'uuid', 'name', 'email'),
  ...of('session.workspaces', 'uuid', 'name', 'role'),
  ...['member', 'token', 'signedIn', 'event', 'change', 'log', 'log.contact', 'address'].map((noun) => `${noun}.uuid`),
  // Shown as a badge, or only before a link is opened.
  'token.revoked_at',
  ...of('link', 'uuid', 'expires_at', 'revoked_at', 'opened_at'),
  // Listed.
  ...of('newLink.link', 'uuid', 'created_at', 'expires_at', 'revoked_at', 'opened_at', 'created_by'),
  // Choices of a filter, which the browser draws.
  ...of('summary', 'codes', 'providers'),
  // No page shows them.
  ...of('suppressed', 'reason', 'ticket', 'origin', 'since', 'recorded_at'),
  ...of('suppressed.actor', 'kind', 'uuid', 'name', 'email'),
  ...of('suppressed.contact', 'uuid', 'provider', 'created_at', 'updated_at'),
  ...attributesOf('suppressed.contact'),
  // Shown only where a filter has a similar name.
  'eventName',
  // Shown only where the condition of a new rule fits no event.
  ...of('rulePreview', 'attributes', 'values'),
  // Shown only if it's a time.
  ...of('retention', 'events.deleted_before', 'log.deleted_before'),
  ...of(
    'burst',
    'domain',
    'from',
    'to',
    'contacts.name',
    'contacts.address',
    'contacts.events_since',
    'contacts.again_at',
  ),
  ...of('burst.actor', 'kind', 'uuid', 'name', 'email'),
  ...of('eventRule', 'uuid', 'event_name', 'condition.attribute', 'condition.value', 'reason', 'created_at'),
  ...of('view', 'uuid', 'query'),
  ...of('view.owner', 'kind', 'uuid', 'name', 'email'),
  ...of('run', 'uuid', 'state', 'started_at', 'digest', 'reason', 'ticket', 'approved_at', 'deleted_at'),
  ...of('run.imported', 'file', 'source', 'mapping.attribute'),
  ...of('imported', 'errors.field', 'errors.message'),
  ...of('undone', 'left.fields.field', 'left.fields.why', 'left.name', 'left.address', 'again.name', 'again.address'),
  ...['run.author', 'run.approved_by'].flatMap((noun) => of(noun, 'kind', 'uuid', 'name', 'email')),
  ...of('runContact', 'uuid', 'name', 'address', 'state', 'request_id', 'at', 'undone_at', 'undo_request_id'),
  ...['change', 'log'].flatMap((noun) => of(`${noun}.suppression`, 'reason', 'ticket', 'origin', 'since')),
  // Shown only for a session without a person.
  'signedIn.token',
  'change.run',
  // In a link.
  'overview.changes.run',
  // Shown only without a name.
  ...['change', 'log', 'overview.changes', 'overview.unsubscribes.by'].flatMap((noun) =>
    of(`${noun}.actor`, 'kind', 'uuid', 'email'),
  ),
  'overview.changes.contact.address',
  'overview.changes.contact.uuid',
  'log.contact.address',
  // Only lines without a contact have them.
  ...of('log.details', ...KNOWN),
  ...ANY.map((any) => `log.details${any}`),
  // Shown only without `full_address`.
  ...of('address', 'domain_uuid', 'updated_at', 'address'),
  'domain.domain',
  // A report is about the domain that is listed.
  ...of('report.domain', 'uuid', 'name', 'domain', 'provider', 'status', 'verification', 'mail_from_domain'),
  ...of('report.domain', 'created_at', 'updated_at', 'dns.type', 'dns.name', 'dns.value'),
  // Matched with what is listed.
  ...of('report.verdicts', 'subject', 'code', 'cause', 'finding.zone', 'finding.cause'),
  ...of('report.verdicts.accepted', 'code', 'found', 'subject', 'domain.uuid', 'domain.name'),
  // Shown only without a name.
  ...['report.verdicts.accepted', 'acceptance', 'incident.accepted'].flatMap((noun) =>
    of(`${noun}.actor`, 'kind', 'uuid', 'email'),
  ),
  'report.dkim_keys.subject',
  ...of('span', 'cause', 'finding.code', 'finding.expected', 'finding.zone', 'finding.cause'),
  ...of('span.finding.fix', 'todo', 'type', 'host', 'name', 'value'),
  // The page reads the report again.
  ...of('acceptance', 'code', 'found', 'reason', 'subject', 'domain.uuid', 'domain.name', 'actor.name'),
  // No page lists them.
  ...of('incident', 'subject', 'code', 'cause', 'domain.name'),
  ...of('incident.accepted', 'code', 'found', 'reason', 'subject', 'domain.uuid', 'domain.name', 'actor.name'),
  ...of('domainChange', 'subject', 'domain.name', 'before.code', 'before.found', 'after.code', 'after.found'),
  // Shown only if it's a time to come.
  'destination.rotation_ends_at',
  ...of('destination', 'uuid', 'created_at', 'updated_at'),
  ...of('delivery', 'message', 'destination', 'created_at'),
  // Shown on the destination's page.
  ...of('created.destination', 'uuid', 'address', 'rules.incidents.domains', 'fallback', 'disabled_reason'),
  ...of('created.destination', 'created_at', 'updated_at', 'disabled_at', 'last_delivered_at', 'rotation_ends_at'),
  // Shown only for a missing contact.
  'erased.erased_at',
  ...of('check.finding', 'zone', 'cause'),
  ...of('problem', 'type', 'request_id'),
];
