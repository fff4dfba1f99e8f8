export type EventKind = (typeof KINDS)[number]['kind'];

/** From the bottom of a bar to its top. */
export const KINDS = [
  { kind: 'delivered', label: 'Delivered' },
  { kind: 'opened', label: 'Opened' },
  { kind: 'clicked', label: 'Clicked' },
  { kind: 'failed', label: 'Failed' },
  { kind: 'other', label: 'Other' },
] as const;

/** What may be delivered, opened or clicked: an opened ticket is no opened mail. */
const MAIL =
  'e email mail message msg newsletter campaign sms push notification link button cta unique first machine proxy html amp web';

/** The first match decides. All other words of the name must be among `about`; null is any. */
const RULES: readonly { kind: EventKind; acts: ReadonlySet<string>; about: ReadonlySet<string> | null }[] = [
  rule(
    'failed',
    'bounce bounced bounces fail failed failure drop dropped reject rejected complaint complained spam spamreport deferred undelivered blocked',
    null,
  ),
  rule('clicked', 'click clicked clicks', MAIL),
  rule('opened', 'open opened opens read', MAIL),
  rule('delivered', 'delivered delivery deliver sent send dispatched', MAIL),
];

function rule(kind: EventKind, acts: string, about: string | null) {
  return { kind, acts: new Set(acts.split(' ')), about: about === null ? null : new Set(about.split(' ')) };
}

/** `email_opened`, `Email Opened` and `emailOpened` are the same. */
export function kindOf(name: string): EventKind {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const match = RULES.find(
    ({ acts, about }) =>
      words.some((word) => acts.has(word)) &&
      (about === null || words.every((word) => acts.has(word) || about.has(word))),
  );
  return match?.kind ?? 'other';
}
