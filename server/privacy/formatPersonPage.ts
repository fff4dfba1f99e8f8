import type { Attributes } from '#contract/values/field.ts';
import type { Suppression, SuppressionOrigin, SuppressionReason } from '#contract/suppressions/suppression.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import type { PersonChange } from '#contract/privacy.ts';
import { nameContact } from '../contacts/identities/nameContact.ts';
import { REASON, SINCE } from '../contacts/suppressions.ts';
import type { PersonalData, PersonEvent } from './readPerson.ts';

// The page is for the person it's about, who doesn't know this program. It has no script, and loads nothing.

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
h1 { font-size: 1.75rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid #ccc; overflow-wrap: anywhere; }
th { width: 30%; font-weight: 600; }
ul { margin: 0; padding-left: 1.25rem; }
p.quiet { color: #555; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } tr { break-inside: avoid; } thead { display: table-header-group; } }
`;

/** A page in plain words. */
export async function* formatPersonPage(person: PersonalData): AsyncGenerator<string> {
  const { workspace, contact, event_count, change_count, deleted_before, written_at } = person;
  const { name, address } = nameContact(JSON.stringify(contact.attributes));
  const who = escape(name ?? address ?? 'you');
  const keeper = escape(workspace.name);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>What ${keeper} keeps about ${who}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>What ${keeper} keeps about ${who}</h1>
<p>This is the record of this person with all its changes and events, as it was on ${spellTime(written_at)}. All times are in UTC (Coordinated Universal Time).</p>
${describeDeleted('Changes', deleted_before.changes)}${describeDeleted('Events', deleted_before.events)}<ul>
<li><a href="#details">Details</a>: what is known about the person</li>
<li><a href="#changes">Changes</a>: when a detail was changed, and by whom (${count(change_count)})</li>
<li><a href="#events">Events</a>: what the person did, or what happened to them (${count(event_count)})</li>
</ul>
<h2 id="details">Details</h2>
<table>
<tr><th scope="row">Receives mail</th><td>${contact.subscribed ? 'Yes' : 'No, unsubscribed'}</td></tr>
${Object.entries(contact.attributes).map(detailRow).join('')}<tr><th scope="row">On record since</th><td>${spellTime(contact.created_at)}</td></tr>
<tr><th scope="row">Last changed</th><td>${spellTime(contact.updated_at)}</td></tr>
<tr><th scope="row">Number of the record</th><td>${escape(contact.uuid)}</td></tr>
</table>
<h2 id="changes">Changes</h2>
`;
  if (change_count === 0) yield '<p class="quiet">No changes are on record.</p>\n';
  else {
    yield '<table>\n<thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead>\n';
    for await (const change of person.changes) yield changeRow(change);
    yield '</table>\n';
  }
  yield '<h2 id="events">Events</h2>\n';
  if (event_count === 0) yield '<p class="quiet">No events are on record.</p>\n';
  else {
    yield '<table>\n<thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead>\n';
    for await (const event of person.events) yield eventRow(event);
    yield '</table>\n';
  }
  yield '</main>\n</body>\n</html>\n';
}

const detailRow = ([name, value]: [string, unknown]) =>
  `<tr><th scope="row">${escape(labelOf(name))}</th><td>${valueText(value)}</td></tr>\n`;

const ACTIONS: Readonly<Record<string, string>> = {
  create: 'Record made',
  update: 'Details changed',
  unsubscribe: 'Unsubscribed',
  subscribe: 'Subscribed again',
  import: 'Changed by an import of data',
};

const SUPPRESSION_WORDS: Readonly<Record<SuppressionReason, string>> = {
  request: 'it was asked for',
  complaint: 'mail was marked as spam',
  bounce: "mail couldn't be delivered",
  legal: 'a legal reason',
  list: 'a list of the sender',
  other: 'another reason',
};

const ORIGIN_WORDS: Readonly<Record<SuppressionOrigin, string>> = {
  recipient: 'the person',
  support: 'support staff',
  program: 'a program',
  import: 'an import of data',
};

function suppressionLines({ reason, ticket, origin, since }: Suppression): string[] {
  return [
    ...(since === undefined ? [] : [`Since: ${spellTime(since)}`]),
    ...(reason === null ? [] : [`Reason: ${SUPPRESSION_WORDS[reason]}`]),
    ...(ticket === null ? [] : [`Ticket: ${escape(ticket)}`]),
    ...(origin === null ? [] : [`Came from: ${ORIGIN_WORDS[origin]}`]),
  ];
}

const FIELDS: ReadonlyMap<string, string> = new Map([
  ['subscribed', 'Receives mail'],
  [REASON, 'Why unsubscribed'],
  [SINCE, 'Unsubscribed since'],
]);

const wordsOf = (reason: unknown) => reason && SUPPRESSION_WORDS[reason as SuppressionReason];

function changeRow({ action, created_at, actor, reason, suppression, changes }: PersonChange): string {
  const lines = [
    ...changes.map(({ field, before, after }) => {
      const label = FIELDS.get(field) ?? labelOf(field.replace(/^attributes\./, ''));
      const spell = (value: unknown) => stateText(field === REASON ? wordsOf(value) : value);
      return `${escape(label)}: ${spell(before)} → ${spell(after)}`;
    }),
    ...(reason === null ? [] : [`Reason: ${escape(reason)}`]),
    ...(suppression === null ? [] : suppressionLines(suppression)),
  ];
  const what = `${escape(ACTIONS[action] ?? labelOf(action))}, by ${actorText(actor)}`;
  return `<tr><td>${spellTime(created_at)}</td><td>${what}${listOf(lines)}</td></tr>\n`;
}

function actorText({ kind, name }: PersonChange['actor']): string {
  if (name !== null) return escape(name);
  return kind === 'command' ? 'an operator' : 'the system';
}

const stateText = (value: unknown) =>
  value === null ? 'nothing' : value === true ? 'yes' : value === false ? 'no' : valueText(value);

function eventRow({ event_name, attributes, created_at }: PersonEvent): string {
  const details = Object.entries(JSON.parse(attributes) as Attributes);
  const lines = details.map(([name, value]) => `${escape(labelOf(name))}: ${valueText(value)}`);
  return `<tr><td>${spellTime(created_at)}</td><td>${escape(event_name)}${listOf(lines)}</td></tr>\n`;
}

const listOf = (lines: readonly string[]) =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>`;

/** As in "First name" for `first_name`. */
function labelOf(name: string): string {
  const words = name.replaceAll(/[_\s]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lists and groups of values as lists. */
function valueText(value: unknown): string {
  if (value === null) return 'nothing';
  if (typeof value !== 'object') return escape(typeof value === 'string' ? value : JSON.stringify(value));
  if (Array.isArray(value)) return listOf(value.map(valueText));
  return listOf(Object.entries(value).map(([name, held]) => `${escape(labelOf(name))}: ${valueText(held)}`));
}

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** As in "3 May 2026, 14:05:12". */
function spellTime(time: string | number): string {
  const date = new Date(time);
  return `${DATE.format(date)}, ${date.toISOString().slice(-'14:05:12.000Z'.length, -'.000Z'.length)}`;
}

const count = (value: number) => value.toLocaleString('en');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Shows invisible characters, and those that would reorder the text, by their code, as the console does. */
function escape(text: string): string {
  return escapeHidden(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const describeDeleted = (what: string, before: string | null): string =>
  before === null ? '' : `<p>${what} before ${spellTime(before)} were deleted because of their age.</p>\n`;
