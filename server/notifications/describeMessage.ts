import { adviceTitle } from '#contract/domains/adviceTitles.ts';
import type { MessageKind } from '#contract/notifications.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { must } from '#contract/values/must.ts';
import type { IncidentBody } from './storedMessages.ts';
import type { SummaryBody } from './planning/summaries.ts';

// What messages say. Without personal data: a contact is named by its UUID.

type StoredMessage = { kind: MessageKind; body: string };

/** In a sentence, for the subject of a mail and the list of deliveries. */
export function titleOf({ kind, body }: StoredMessage): string {
  const parsed: unknown = JSON.parse(body);
  switch (kind) {
    case 'incident_opened':
    case 'incident_unstable':
    case 'incident_closed':
      return titleOfIncident(kind, parsed as IncidentBody);
    case 'digest': {
      const { opened, closed, changes } = parsed as SummaryBody;
      return `Last week: ${count(opened, 'new fault')}, ${closed} fixed, ${count(changes, 'DNS change')}`;
    }
    case 'heartbeat': {
      const { checked, open } = parsed as SummaryBody;
      return `Daily heartbeat: ${count(checked, 'domain')} checked, ${count(open, 'fault')} open`;
    }
    case 'contact_unsubscribed':
      return `Contact ${contactIn(parsed)} unsubscribed`;
    case 'contact_subscribed':
      return `Contact ${contactIn(parsed)} subscribed again`;
    case 'contact_erased':
      return `Contact ${contactIn(parsed)} erased`;
    case 'test':
      return 'Test message';
  }
}

const contactIn = (body: unknown) => (body as { contact: string }).contact;

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

const INCIDENT_WORDS = {
  incident_opened: { broken: 'needs fixing', weak: 'could be better' },
  incident_unstable: { broken: 'keeps failing and recovering', weak: 'keeps changing' },
  incident_closed: { broken: 'is OK again', weak: 'is OK again' },
} as const;

type IncidentKind = keyof typeof INCIDENT_WORDS;

function titleOfIncident(kind: IncidentKind, { domain, subject, kind: fault }: IncidentBody): string {
  return escapeInvisible(`${domain.name}: ${nameOf(subject, domain.name)} ${INCIDENT_WORDS[kind][fault]}`);
}

/** "DMARC", or "CNAME k1._domainkey": a record without the name of its domain. */
function nameOf(subject: string, domain: string): string {
  const [, type, name = '', number = ''] = /^(\S+) (\S+?)( #\d+)?$/.exec(subject) ?? [];
  if (type === undefined) return adviceTitle(subject);
  const short = name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name;
  return `${type} ${short}${number}`;
}

/** The text of a mail. `incidents`: all that it tells, which have the same cause, or which one check of a domain found. */
export function textOf(message: StoredMessage, incidents: readonly IncidentBody[], consoleUrl: string | null): string {
  const lines = incidents.length > 0 ? describeIncidents(message, incidents) : describeOther(message);
  const url = urlOf(message, incidents, consoleUrl);
  return `${[...lines, ...(url === null ? [] : ['', url])].join('\n')}\n`;
}

/** The page of the console that shows it; null without its address. */
export function urlOf(
  { kind, body }: StoredMessage,
  [incident]: readonly IncidentBody[],
  consoleUrl: string | null,
): string | null {
  if (consoleUrl === null || kind === 'test' || kind === 'contact_erased') return null;
  if (incident !== undefined) return `${consoleUrl}domains/${encodeURIComponent(incident.domain.name)}`;
  if (kind === 'digest' || kind === 'heartbeat') return `${consoleUrl}domains`;
  return `${consoleUrl}contacts/${contactIn(JSON.parse(body))}`;
}

function describeOther(message: StoredMessage): string[] {
  if (message.kind === 'test') return describeTest(JSON.parse(message.body) as TestBody);
  const title = `${titleOf(message)}.`;
  if (message.kind !== 'digest' && message.kind !== 'heartbeat') return [title];
  const { from, to, domains, checked, open } = JSON.parse(message.body) as SummaryBody;
  const isOpen = open === 1 ? '1 fault is' : `${open} faults are`;
  return [
    title,
    '',
    `From ${timeOf(from)} to ${timeOf(to)} UTC, ${checked} of ${count(domains, 'domain')} were checked. ${isOpen} open now.`,
    message.kind === 'heartbeat'
      ? 'This comes every day. A day without it means that Sendroom, or mail from it, doesn’t work.'
      : 'This comes on Mondays, unless nothing happened.',
  ];
}

/** What a test message says, with names at the time. */
export type TestBody = { workspace: string; destination: string };

function describeTest({ workspace, destination }: TestBody): string[] {
  const [from, to] = [escapeInvisible(workspace), escapeInvisible(destination)];
  return [
    `This is a test message of the workspace ${from}.`,
    '',
    `It shows that messages for the destination “${to}” arrive here. There is nothing to do.`,
  ];
}

const timeOf = (timestamp: string) => timestamp.slice(0, 16).replace('T', ' ');

const TURNS: Record<NonNullable<IncidentBody['turn']>, string> = {
  owner: 'the owner of the domain, in its DNS records',
  provider: 'the mail provider',
  dns_host: 'the DNS host',
  registrar: 'the owner of the domain, at the registrar',
  report_receiver: 'the receiver of the DMARC reports',
  checker: 'the operator of Sendroom',
};

function describeIncidents({ kind }: StoredMessage, [incident, ...others]: readonly IncidentBody[]): string[] {
  const body = must(incident);
  const lines = [
    `${titleOfIncident(kind as IncidentKind, body)}.`,
    '',
    ...(kind === 'incident_closed' ? describeEnd(body) : describeFault(kind, body)),
    ...(others.length === 0 ? [] : ['', introduceOthers(kind, body, others.length)]),
    ...others.slice(0, LISTED_MAX).map(({ domain, subject }) => `- ${domain.name}: ${nameOf(subject, domain.name)}`),
    ...(others.length > LISTED_MAX ? [`- and ${others.length - LISTED_MAX} more`] : []),
  ];
  // Much of it comes from the DNS of strangers.
  return lines.map(escapeInvisible);
}

/** Lines for the others. */
const LISTED_MAX = 100;

function introduceOthers(kind: MessageKind, { cause }: IncidentBody, count: number): string {
  const others = count === 1 ? '1 other' : `${count} others`;
  const [is, has, was] = count === 1 ? ['is', 'has', 'was'] : ['are', 'have', 'were'];
  if (kind === 'incident_closed') return `${others} told with it ${is} OK again too:`;
  return cause === null ? `${others} ${was} found by the same check:` : `${others} ${has} the same cause:`;
}

function describeEnd(body: IncidentBody): string[] {
  return [`Began: ${beginningOf(body)}`, `Ended: ${timeOf(body.closed_at ?? body.failed_at)} UTC`];
}

/** Nobody looked in between, so it's a time between two checks. */
function beginningOf({ right_until, failed_at }: IncidentBody): string {
  if (right_until === null) return `at the first check, ${timeOf(failed_at)} UTC, or before`;
  const [from, to] = [timeOf(right_until), timeOf(failed_at)];
  const isSameDay = from.slice(0, DATE) === to.slice(0, DATE);
  return `between the checks at ${from} and ${isSameDay ? to.slice(DATE + 1) : to} UTC`;
}

/** Characters of a date. */
const DATE = 10;

function describeFault(kind: MessageKind, body: IncidentBody): string[] {
  const { code, cause, turn, diagnosis, found, fix, refused_by } = body;
  return [
    ...(diagnosis === null ? [] : [diagnosis]),
    ...(refused_by.length === 0 ? [] : [`Because of it, mail is refused by ${LIST.format(refused_by)}.`]),
    ...(kind === 'incident_unstable' ? [UNSTABLE] : []),
    '',
    `Began: ${beginningOf(body)}`,
    ...(turn === null ? [] : [`Who must act: ${TURNS[turn]}`]),
    ...(cause === null ? [] : [`Cause: ${describeCause(cause)}`]),
    ...found.map((value) => `Found: ${value}`),
    ...(fix === null ? [] : describeFix(fix)),
    `Code: ${code}`,
  ];
}

const UNSTABLE = 'It broke more than three times within a day. The next message comes after a day without a failure.';

const LIST = new Intl.ListFormat('en');

function describeFix({ todo, type, name, value, priority }: NonNullable<IncidentBody['fix']>): string[] {
  const record = [name, type, priority, value].filter((part) => part !== null).join(' ');
  return [`What to do: ${todo}`, ...(value === '' ? [] : [`Record: ${record}`])];
}

const CAUSES: Readonly<Record<string, string>> = {
  include: 'the SPF record at',
  target: 'the host of the provider,',
  ns: 'the name server',
  registrar: 'the registration of',
};

function describeCause(cause: string): string {
  const [, key = '', name = ''] = /^(\w+):(.*)$/s.exec(cause) ?? [];
  const words = CAUSES[key];
  return words === undefined ? cause : `${words} ${name}`;
}
