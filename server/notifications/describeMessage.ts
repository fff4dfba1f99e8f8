import type { MessageKind } from '#contract/notifications.ts';
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
      return `This week: ${count(opened, 'fault')} opened, ${closed} closed, ${count(changes, 'change')}`;
    }
    case 'heartbeat': {
      const { checked, open } = parsed as SummaryBody;
      return `${count(checked, 'domain')} checked, ${open} open`;
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

function titleOfIncident(kind: keyof typeof INCIDENT_WORDS, { domain, subject, kind: fault }: IncidentBody): string {
  return `${domain.name}: ${subject} ${INCIDENT_WORDS[kind][fault]}`;
}

/** The text of a mail. `incidents`: all that it tells, which have the same cause. */
export function textOf(message: StoredMessage, incidents: readonly IncidentBody[], consoleUrl: string | null): string {
  const [incident, ...others] = incidents;
  const lines = [`${titleOf(incident === undefined ? message : { ...message, body: JSON.stringify(incident) })}.`, ''];
  if (incident !== undefined) {
    lines.push(...describeIncident(incident, consoleUrl));
    if (others.length > 0) {
      lines.push('', 'The same cause:', ...others.map(({ domain, subject }) => `- ${domain.name}: ${subject}`));
    }
  } else if (message.kind === 'digest' || message.kind === 'heartbeat') {
    const { from, to, domains, checked, open } = JSON.parse(message.body) as SummaryBody;
    lines.push(`From ${from} to ${to}: ${checked} of ${count(domains, 'domain')} checked, ${open} open now.`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const TURNS: Record<NonNullable<IncidentBody['turn']>, string> = {
  owner: 'the owner of the domain, in its DNS records',
  provider: 'the mail provider',
  dns_host: 'the DNS host',
  registrar: 'the owner of the domain, at the registrar',
  report_receiver: 'the receiver of the DMARC reports',
  checker: 'the operator of Sendroom',
};

function describeIncident(body: IncidentBody, consoleUrl: string | null): string[] {
  const { domain, code, cause, turn, failed_at, closed_at } = body;
  return [
    `Code: ${code}`,
    ...(cause === null ? [] : [`Cause: ${cause}`]),
    ...(turn === null ? [] : [`Who must act: ${TURNS[turn]}`]),
    `Failing since: ${failed_at}`,
    ...(closed_at === null ? [] : [`Right since: ${closed_at}`]),
    ...(consoleUrl === null ? [] : [`${consoleUrl}domains/${encodeURIComponent(domain.name)}`]),
  ];
}
