import type { ReadableLogLine } from '#contract/auditLog.ts';
import { describeChange } from '../identity/describeChange.ts';
import { describeSuppression } from '../identity/describeSuppression.ts';
import { roleName } from '../session/roleNames.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { labelOr } from '../ui/format/labelOr.ts';
import { localMoment, parseTime } from '../ui/format/time.ts';

/** For the filter, and for entries without details. */
export const ACTION_LABELS: Readonly<Record<string, string>> = {
  create: 'Contact created',
  update: 'Contact changed',
  unsubscribe: 'Unsubscribed',
  unsubscribe_again: 'Unsubscribed again',
  record_reason: 'Reason recorded later',
  subscribe: 'Subscribed again',
  import: 'Contact changed by an import',
  import_run: 'Import',
  export: 'Export',
  sign_in: 'Signed in',
  sign_in_refused: 'Sign-in refused',
  sign_out: 'Signed out',
  token_create: 'Token created',
  token_revoke: 'Token revoked',
  person_export: 'Personal data exported',
  person_erase: 'Person erased',
  erasure_lift: 'Erasure lifted',
  verdict_set: 'Verdict set by hand',
  domain_update: 'Domain changed',
  fault_accept: 'Fault accepted',
  fault_accept_end: 'Fault no longer accepted',
  member_invite: 'Person invited',
  member_join: 'Person joined',
  member_role: 'Role changed',
  member_remove: 'Person removed',
  session_end: 'Session ended',
  workspace_rename: 'Workspace renamed',
  run_approve: 'Bulk run approved',
  run_settings: 'Approval of bulk runs changed',
  event_rule_create: 'Event rule created',
  event_rule_remove: 'Event rule removed',
  view_share: 'View shared',
  view_update: 'Shared view changed',
  view_remove: 'Shared view removed',
  link_create: 'Shared link created',
  link_revoke: 'Shared link revoked',
  link_open: 'Shared link opened',
  destination_create: 'Destination created',
  destination_update: 'Destination changed',
  destination_remove: 'Destination removed',
  destination_test: 'Test message sent',
  secret_rotate: 'Secret rotated',
  message_replay: 'Message sent again',
  message_delivered: 'Message delivered',
  retention_change: 'Retention changed',
  retention_start: 'Deletion of old data begun',
  retention_end: 'Old data deleted',
};

/** What happened, in one line, with times in `zone`. Unknown actions have the service's name. */
export function describeLine(line: ReadableLogLine, zone: string): string {
  const { contact, details, reason } = line;
  const action = line.action ?? 'Unknown action';
  const text = (name: string) => (typeof details?.[name] === 'string' ? details[name] : '');
  const label = labelOr(ACTION_LABELS, action);
  if (action === 'person_erase' || action === 'erasure_lift') {
    const request = text('reference') === '' ? '' : ` (request ${text('reference')})`;
    return `${label}${request}${reason === null ? '' : `. Reason: ${reason}`}`;
  }
  if (action === 'message_delivered') {
    const at = parseTime(line.created_at);
    return `Delivered to ${text('destination')}${at === null ? '' : `, ${localMoment(at, zone)}`}`;
  }
  if (/^(?:destination_|secret_rotate$|message_replay$)/.test(action))
    return `${label}: ${text('destination')}${reason === null ? '' : `. Reason: ${reason}`}`;
  if (contact !== null && action !== 'person_export') {
    const fields = line.fields ?? [];
    const said = { field_count: line.field_count ?? fields.length, reason: line.suppression?.reason ?? null };
    const change = describeChange({ action, fields, ...said });
    const by = action === 'import' ? `${change} (import)` : change;
    const why = [describeSuppression(line.suppression), reason ?? ''].filter((part) => part !== '').join('; ');
    return why === '' ? by : `${by}. Reason: ${why}`;
  }
  if (action === 'import_run') return `Imported ${text('resource')}: ${describeCounts(details)}`;
  if (action === 'export') return `Exported ${text('resource') || labelOr(EXPORTS, text('operation'))}`;
  if (action === 'sign_in_refused') return `${label}: ${text('reason')}`;
  if (action === 'verdict_set' || action === 'domain_update')
    return `${label}: ${text('domain')}, ${(line.fields ?? []).join(', ')}`;
  if (action.startsWith('link_')) return `${label}: DNS records of ${text('domain')}`;
  if (action.startsWith('token_')) return `${label}: ${[text('name'), text('role')].filter(Boolean).join(', ')}`;
  const who = text('email') || text('name') || text('token');
  const role = roleName(text('role'));
  if (action === 'member_invite') return `Invited ${who} as ${role}`;
  if (action === 'member_join') return `${who} joined as ${role}`;
  if (action === 'member_role') return `Changed the role of ${who} from ${roleName(text('before'))} to ${role}`;
  if (action === 'member_remove') return `Removed ${who}, who was ${role}`;
  if (action === 'workspace_rename') return `Renamed the workspace from ${text('before')} to ${text('name')}`;
  const count = (name: string) => (typeof details?.[name] === 'number' ? formatCount(details[name]) : '');
  if (action === 'run_approve') return `Approved a bulk run of ${count('contacts')} contacts`;
  if (action === 'run_settings') {
    const above = count('after');
    return above === '' ? 'Switched the approval of bulk runs off' : `Bulk runs above ${above} contacts need approval`;
  }
  if (action.startsWith('event_rule_')) {
    const condition = text('attribute') && ` with ${text('attribute')} ${text('value')}`;
    return `${label}: ${text('event')}${condition}`;
  }
  if (action.startsWith('view_')) {
    const before = text('before') && `, before ${text('before')}`;
    return `${label}: ${text('name')}${before}`;
  }
  if (action.startsWith('retention_')) return describeRetention(label, text, count);
  if (action === 'session_end') return `Ended a session of ${who}`;
  return label;
}

/** The setting, or a run: its begin has times, and its end counts. */
function describeRetention(label: string, text: (name: string) => string, count: (name: string) => string): string {
  const parts = [
    ['events ', text('events')],
    ['log ', text('log')],
    ['events before ', text('events_before').slice(0, DAY_LENGTH)],
    ['log entries before ', text('log_before').slice(0, DAY_LENGTH)],
    ['events: ', count('events')],
    ['log entries: ', count('entries')],
  ];
  const said = parts.flatMap(([what, value]) => (value === '' ? [] : `${what}${value}`));
  return said.length === 0 ? label : `${label}: ${said.join(', ')}`;
}

const DAY_LENGTH = '2026-01-31'.length;

const EXPORTS: Readonly<Record<string, string>> = {
  listContacts: 'contacts',
  listContactEvents: 'events of a contact',
  listContactChanges: 'the history of a contact',
  listDomains: 'domains',
  listDomainReports: 'reports of domains',
  listDomainAddresses: 'sender addresses of a domain',
  listAddresses: 'sender addresses',
  listChanges: 'the audit log',
  listMembers: 'members',
  listTokens: 'tokens',
  listSessions: 'sessions',
  checkDomain: 'DNS checks',
};

const COUNTS = ['added', 'changed', 'unchanged', 'refused'];

function describeCounts(details: ReadableLogLine['details']): string {
  return COUNTS.flatMap((name) => {
    const count = details?.[name];
    return typeof count === 'number' && count > 0 ? [`${formatCount(count)} ${name}`] : [];
  }).join(', ');
}
