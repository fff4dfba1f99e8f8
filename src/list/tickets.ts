import type { ListLine } from './listLine.ts';
import { PART_LABELS, splitMailText } from './mail/mailText.ts';
import { createPause } from './pause.ts';

/** What the people of a ticket are found in, in words. */
export const TICKET_LABELS = { requester: 'Requester', others: 'Elsewhere in the ticket' };

/** Words in the names of keys. Whoever asks, the surest first: some systems have a requester, and a customer of theirs. */
const ASKING = ['requester', 'requestor', 'reporter', 'customer', 'caller'];
/** Who answers, writes on behalf of others, or only reads along. */
const OTHERS = new Set(
  'assignee assigned agent agents responder submitter owner creator created updated collaborator collaborators follower followers watcher watchers cc bcc to recipient recipients fwd'.split(
    ' ',
  ),
);
/** People of whom another key tells whether they ask; without it, that is unclear. */
const PEOPLE = new Set([...ASKING, 'author', 'from', 'user', 'users', 'sender', 'source']);
/** Only tickets have these. A list of customers may have a customer and an owner. */
const OF_TICKETS = new Set(['requester', 'requestor', 'reporter', 'assignee', 'submitter', 'responder']);
const EMAIL_KEYS = new Set(['email', 'emails', 'mail', 'address']);
const PHONE_KEYS = new Set(['phone', 'mobile', 'tel', 'telephone']);
/** An ID, a time, a word or a link: no text. */
const NO_TEXT = /^(?:[^\s@]*|https?:\/\/\S+)$/i;

type JsonObject = Readonly<Record<string, unknown>>;
/** A text of a ticket. */
type Text = { text: string; source: string | null };
/** Emails, or phone numbers where there are none, by the ID of the person. */
type People = ReadonlyMap<unknown, readonly string[]>;

/**
 * Reads the JSON of a ticket system: one document, or one in each line. Of each ticket, who asks and the texts are told apart from those who
 * answer, write on behalf of others or read along; by keys alone. Null where the text is no JSON, or has no tickets.
 */
export async function readTickets(text: string): Promise<{ lines: ListLine[]; count: number } | null> {
  const documents = parseDocuments(text);
  if (documents === null) return null;
  const tickets = documents.flatMap((document) => [...findObjects(document, isTicket)]);
  if (tickets.length === 0) return null;
  const people = new Map(
    documents.flatMap((document) =>
      [...findObjects(document, (object) => 'id' in object && readIdentities(object).length > 0, true)].map(
        (person): [unknown, readonly string[]] => [person['id'], readIdentities(person)],
      ),
    ),
  );
  const lines: ListLine[] = [];
  const pause = createPause();
  for (const [number, ticket] of tickets.entries()) {
    // As a mail within another: without who asks, it is unclear whom its texts mean.
    const mail = { number, depth: 1, isForward: false, isReport: false, isAutomatic: false };
    for (const { text: line, source } of readTicket(ticket, people))
      lines.push({ text: line, line: lines.length + 1, source, isProse: true, mail });
    await pause();
  }
  return { lines, count: tickets.length };
}

/** The JSON in a text: all of it, or each of its lines. */
function parseDocuments(text: string): unknown[] | null {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (!/^[[{]/.test(trimmed)) return null;
  const whole = parseJson(trimmed);
  if (whole !== undefined) return [whole];
  const lines = trimmed.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const documents: unknown[] = [];
  for (const line of lines) {
    const document = parseJson(line);
    if (document === undefined) return null;
    documents.push(document);
  }
  return documents;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** The objects in a document that `is` tells, without those within one, unless `isWithin`. */
function* findObjects(
  document: unknown,
  is: (object: JsonObject) => boolean,
  isWithin = false,
): Generator<JsonObject, void, void> {
  // No recursion: a document may be as deep as its text is long.
  const open = [document];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!isObject(value)) continue;
    const isFound = !Array.isArray(value) && is(value);
    if (isFound) yield value;
    if (isFound && !isWithin) continue;
    // Not spread: an array may have more values than a call takes arguments.
    for (const inner of Object.values(value).filter(isObject).toReversed()) open.push(inner);
  }
}

/** The words of a key: `cc_emails` and `ccEmails` have two. */
const wordsOf = (key: string): string[] =>
  key
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[^a-z]+/);

const hasWord = (key: string, words: ReadonlySet<string>) => wordsOf(key).some((word) => words.has(word));
const isTicket = (object: JsonObject) => Object.keys(object).some((key) => hasWord(key, OF_TICKETS));

/** All strings of a value, whatever their keys. */
const stringsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');

/** The emails of a person, or the phone numbers of one without. */
function readIdentities(person: JsonObject): string[] {
  const valuesAt = (words: ReadonlySet<string>) =>
    Object.entries(person).flatMap(([key, value]) => (hasWord(key, words) ? stringsOf(value) : []));
  const emails = valuesAt(EMAIL_KEYS).filter((value) => value.includes('@'));
  return emails.length > 0 ? emails : valuesAt(PHONE_KEYS);
}

/** Who asks, as the keys of a ticket say, or the record of the person whose ID they have. */
function readAsking(ticket: JsonObject, people: People): string[] {
  for (const role of ASKING) {
    const found = Object.entries(ticket).flatMap(([key, value]) => {
      const words = wordsOf(key);
      if (!words.includes(role) || words.some((word) => OTHERS.has(word))) return [];
      const named = isObject(value) && !Array.isArray(value) ? readIdentities(value) : stringsOf(value);
      return named.filter((text) => /[@\d]/.test(text)).concat(people.get(value) ?? []);
    });
    const emails = found.filter((value) => value.includes('@'));
    if (found.length > 0) return [...new Set(emails.length > 0 ? emails : found)];
  }
  return [];
}

/** The texts of a ticket, who asks first. */
function readTicket(ticket: JsonObject, people: People): Text[] {
  const asking = readAsking(ticket, people);
  const texts: Text[] = asking.map((text) => ({ text, source: TICKET_LABELS.requester }));
  type Open = { value: unknown; isOther: boolean };
  const open: Open[] = [{ value: ticket, isOther: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isOther } = next;
    if (typeof value === 'string') texts.push(...readText(value, isOther));
    if (!isObject(value)) continue;
    const isInner = isOther || isOfAnother(value, asking, people);
    const within = Object.entries(value).map(([key, inner]): Open => {
      const isBeside = hasWord(key, OTHERS) || (asking.length > 0 && hasWord(key, PEOPLE));
      return { value: inner, isOther: isInner || isBeside };
    });
    for (const inner of within.toReversed()) open.push(inner);
  }
  return texts;
}

/** Whether a part of a ticket, such as a comment, is an internal note, or written by another than who asks. */
function isOfAnother(part: JsonObject, asking: readonly string[], people: People): boolean {
  const { public: isPublic, private: isPrivate, internal: isInternal, incoming: isIncoming } = part;
  if (isPublic === false || isPrivate === true || isInternal === true || isIncoming === false) return true;
  const { author, author_id: id = part['user_id'] } = part;
  const writer = isObject(author) ? readIdentities(author) : (people.get(id) ?? []);
  return asking.length > 0 && writer.length > 0 && !writer.some((value) => asking.includes(value));
}

function readText(text: string, isOther: boolean): Text[] {
  if (NO_TEXT.test(text.trim())) return [];
  const lines = text.split(/\r\n|\r|\n/);
  if (isOther) return lines.map((line) => ({ text: line, source: TICKET_LABELS.others }));
  return Array.from(splitMailText(lines), ({ text: line, part }) => ({ text: line, source: PART_LABELS[part] }));
}
