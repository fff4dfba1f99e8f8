import { quoteTxtString } from '#contract/values/characterStrings.ts';
import { isWithin } from '#contract/values/dnsName.ts';
import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import { must } from '#contract/values/must.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { SendingDomain } from '../../dns/expectedRecord.ts';
import { foldName } from '../../dns/wire/names.ts';
import { CommandError } from '../terminal/terminal.ts';

/** One record or directive. Quoted words keep their quotes. */
type ZoneFileEntry = { line: number; words: string[]; hasOwner: boolean };

/** The largest TXT record has 257 strings of 255 bytes. */
const WORDS_MAX = 1000;

const CLASS_OR_TTL = /^(IN|\d+[smhdw]?)$/i;

/** RFC 1035, section 5.1. Records belong to `domain`, or else to `$ORIGIN`. Throws `CommandError`. */
export function parseZone(text: string, domain: string | null): SendingDomain {
  let origin = domain;
  let name = domain;
  let owner = '@';
  const dns: ReadableDnsRecord[] = [];
  for (const { line, words, hasOwner } of entriesOf(text)) {
    const [first = '', second = ''] = words;
    const lineError = (sentence: string) => new CommandError(`Line ${line}: ${sentence}`);
    if (first.toUpperCase() === '$TTL') continue;
    if (first.toUpperCase() === '$ORIGIN') {
      origin = second.replace(/\.$/, '');
      name ??= origin;
      continue;
    }
    if (first.startsWith('$')) throw lineError(`${toPrintable(first)} isn't supported.`);
    if (hasOwner) owner = must(words.shift());
    while (CLASS_OR_TTL.test(words[0] ?? '')) words.shift();
    const [type = '', ...data] = words;
    if (!/^[a-z]+\d*$/i.test(type) || data.length === 0) throw lineError("This isn't a record.");
    if (origin === null) throw lineError('Start with $ORIGIN, or pass --domain.');
    const full = absolute(owner, origin);
    // Other records may belong to other domains of the zone.
    if (type.toUpperCase() === 'SOA' || (domain !== null && !isWithin(foldName(full), foldName(domain)))) continue;
    const kind = type.toUpperCase() === 'TYPE16' ? 'TXT' : type.toUpperCase();
    const isGeneric = data[0] === String.raw`\#` && !PASSED_ON.test(kind);
    const value = isGeneric ? genericText(kind, data) : valueOf(kind, data, origin);
    if (value === null) throw lineError(`This isn't a ${kind} record in the form of RFC 3597.`);
    dns.push({ type: kind, name: asInDomain(full, name ?? origin), value, is_valid: null });
  }
  if (name === null) throw new CommandError('Start with $ORIGIN, or pass --domain.');
  return { name, mail_from_domain: findMailFrom(name, dns), dns };
}

/** The only name below the domain that has both an MX and an SPF record; null when there is none, or more than one. */
function findMailFrom(domain: string, dns: readonly ReadableDnsRecord[]): string | null {
  const namesWith = (isSuch: (record: ReadableDnsRecord) => boolean) =>
    new Set(dns.flatMap((record) => (isSuch(record) ? foldName(record.name ?? '') : [])));
  const senders = namesWith(({ type, value }) => type === 'TXT' && /^"?v=spf1\b/i.test(value ?? ''));
  const receivers = namesWith(({ type }) => type === 'MX');
  const both = [...senders].filter(
    (at) => receivers.has(at) && at !== foldName(domain) && isWithin(at, foldName(domain)),
  );
  return both.length === 1 ? (both[0] ?? null) : null;
}

function absolute(name: string, origin: string): string {
  if (name === '@') return `${origin}.`;
  return name.endsWith('.') ? name : `${name}.${origin}.`;
}

/** A name as the interface has it: with a final dot only outside of the domain. */
function asInDomain(full: string, domain: string): string {
  const name = full.replace(/\.$/, '');
  return isWithin(foldName(name), foldName(domain)) ? name : full;
}

function valueOf(type: string, data: readonly string[], origin: string): string {
  const last = must(data.at(-1));
  if (type === 'CNAME' || type === 'NS') return absolute(last, origin);
  if (type === 'MX') return `${data.slice(0, -1).join(' ')} ${absolute(last, origin)}`.trim();
  if (type !== 'TXT') return data.join(' ');
  return data.map((word) => (word.startsWith('"') ? word : `"${word}"`)).join(' ');
}

const PASSED_ON = /^(?!(TXT|CNAME|MX|NS|A|AAAA)$)/;

/** TXT data as bytes in hexadecimal, as quoted strings (RFC 3597, section 5); null for other types and broken data. */
function genericText(type: string, [, size = '', ...hex]: readonly string[]): string | null {
  const digits = hex.join('');
  if (type !== 'TXT' || !/^([\da-f]{2})+$/i.test(digits) || Number(size) !== digits.length / 2) return null;
  const bytes = Buffer.from(digits, 'hex');
  const strings: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + must(bytes[start]);
    if (end > bytes.length) return null;
    strings.push(quoteTxtString(bytes.subarray(start + 1, end)));
    start = end;
  }
  return strings.join(' ');
}

/** The entries of a zone file, without comments. An entry in parentheses may span several lines. */
function entriesOf(text: string): ZoneFileEntry[] {
  const entries: ZoneFileEntry[] = [];
  let entry: ZoneFileEntry | null = null;
  let depth = 0;
  let number = 0;
  for (const line of linesOf(text)) {
    number++;
    entry = depth > 0 && entry !== null ? entry : { line: number, words: [], hasOwner: /^\S/.test(line) };
    for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"|[()]|;.*|(?:[^\s"();\\]|\\.)+|"/g)) {
      if (token.startsWith(';')) break;
      if (token === '"') throw new CommandError(`Line ${number}: Unclosed quotation mark.`);
      if (token === '(') depth++;
      else if (token === ')') depth--;
      else entry.words.push(token);
      if (entry.words.length > WORDS_MAX) {
        throw new CommandError(`Line ${entry.line}: This is longer than any record.`);
      }
    }
    if (depth < 0) throw new CommandError(`Line ${number}: Unexpected closing parenthesis.`);
    if (depth === 0 && entry.words.length > 0) entries.push(entry);
  }
  if (depth > 0) throw new CommandError('Unclosed parenthesis.');
  return entries;
}

/** A generator, because there may be millions of lines. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end).replace(/\r$/, '');
    start = end + 1;
  }
  yield text.slice(start);
}
