import { findPathSegmentError } from '#contract/endpoint.ts';
import { UUID } from '#contract/field.ts';

/**
 * What somebody typed or pasted, as something that a contact can be found by. `values` are to be tried in turn, the
 * most likely first. `as` tells the user how the text was read; `fault` is a sentence about why it cannot be looked up.
 */
export type ParsedIdentity =
  | { ok: true; kind: 'uuid' | 'email' | 'phone' | 'custom'; values: string[]; as: string }
  | { ok: false; fault: string };

/** The name of the workspace's own identity: null where it has none, undefined where the service does not tell. */
export type IdentityField = string | null | undefined;

/** In characters. A longer text is a list, not an identity, and would take long to parse. */
const LONGEST = 1000;
/**
 * Direction marks, soft hyphens and the like, which come with copied text. Joiners are kept: they can matter in a word.
 */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const EDGES = /^[\s\u200c\u200d]+|[\s\u200c\u200d]+$/g;
const WRAPS = [
  /^"([^"]*)"$/,
  /^'([^']*)'$/,
  /^`([^`]*)`$/,
  /^“([^“”]*)”$/,
  /^‘([^‘’]*)’$/,
  /^«([^«»]*)»$/,
  /^<([^<>]*)>$/,
  /^\[([^[\]]*)\]$/,
  /^\{([^{}]*)\}$/,
  /^\(([^()]*)\)$/,
];
const PHONE = /^\+?[\d\s().\-/\u2010-\u2015\u2212]{5,40}$/;

/**
 * `identityField` names the workspace's custom identity: null where it has none, undefined where the service does not
 * tell.
 */
export function parseIdentity(text: string, identityField: string | null | undefined): ParsedIdentity {
  const visible = text.replaceAll(INVISIBLE, '').trim();
  if (visible.length > LONGEST) return { ok: false, fault: 'This is too long to be one identity.' };
  const trimmed = visible.replaceAll(EDGES, '');
  if (trimmed === '') return { ok: false, fault: 'Type or paste an email, a phone number, an ID or a UUID.' };
  const reading = readVisible(trimmed, identityField);
  if (!reading.ok) return reading;
  const values = [...new Set(reading.values)].filter((value) => findPathSegmentError(value) === null);
  if (values.length > 0) return { ...reading, values };
  return {
    ok: false,
    fault: `This ${findPathSegmentError(reading.values[0])}, so nobody can be looked up by it.`,
  };
}

type Reading = ParsedIdentity & ({ values: [string, ...string[]] } | { ok: false });

function readVisible(text: string, identityField: string | null | undefined): Reading {
  const bare = stripWrapping(text);
  const uuid = stripWrapping(bare.replace(/^urn:uuid:/i, ''));
  if (UUID.test(uuid)) return { ok: true, kind: 'uuid', values: [uuid.toLowerCase()], as: 'the UUID of a contact' };

  const addresses = addressesIn(text);
  const [address] = addresses;
  if (address !== undefined) {
    const distinct = new Set(addresses.map((other) => other.toLowerCase()));
    return distinct.size > 1 || isSeveral(address)
      ? { ok: false, fault: 'These are several addresses. Look up one at a time.' }
      : readEmail(address, identityField);
  }

  const number = bare
    .replace(/^(tel|sms|callto):/i, '')
    .replace(/;.*$/s, '')
    .trim();
  if (PHONE.test(number) && number.replaceAll(/\D/g, '').length >= 5) {
    const compact = compactPhone(number);
    const also = compact === number ? '' : `, also tried as ${compact}`;
    const as = `a phone number${identityField ? ` or ${identityField}` : ''}${also}`;
    return { ok: true, kind: 'phone', values: [number, compact, number.replaceAll(/[^\d+]/g, '')], as };
  }
  const as =
    identityField === null
      ? 'text that is no UUID, email or phone, and this workspace has no other identity'
      : (identityField ?? 'another identity');
  return { ok: true, kind: 'custom', values: [text, bare], as };
}

function readEmail(address: string, identityField: string | null | undefined): Reading {
  const folded = address.toLowerCase();
  // A local part may hold blanks, but a name in front of the address is more common.
  const unnamed = (address.startsWith('"') ? null : /[^\s@]+@\S+$/.exec(folded)?.[0]) ?? folded;
  const also = unnamed === folded ? '' : `, also tried as ${unnamed}`;
  // Letter casing does not count in an email, but it may in another identity that has an @ in it.
  const exact = identityField === null ? [] : [address];
  return { ok: true, kind: 'email', values: [folded, unnamed, ...exact], as: `the email ${folded}${also}` };
}

/** `+44 (0)20 ...` and `0044 20 ...` are both +4420...: the zero in brackets is not dialled from abroad. */
function compactPhone(number: string): string {
  return number
    .replace(/^(\+[^(]*)\(0\)/, '$1')
    .replaceAll(/[^\d+]/g, '')
    .replace(/^00/, '+');
}

/** Removes the quotes and brackets around a value, and the comma or semicolon after it. */
function stripWrapping(text: string): string {
  const wrapped = WRAPS.map((wrap) => wrap.exec(text)?.[1]).find((inner) => inner !== undefined);
  const bare = (wrapped ?? text.replace(/[,;]$/, '')).trim();
  return bare === text ? text : stripWrapping(bare);
}

/** Pieces of a list of mailboxes; commas inside quotes and angle brackets do not separate them. */
const PIECES = /(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,;\t\r\n])+/g;
const QUOTED_LOCAL_PART = /^"(?:[^"\\]|\\.)*"@\S+$/;
/** `<a@b>`, and what people write instead: `(a@b)`, `[a@b]`. */
const IN_BRACKETS = /[<([{]([^<>()[\]{}]*@[^<>()[\]{}]*)[>)\]}]/;

function addressesIn(text: string): string[] {
  const pieces = fromMailto(text).match(PIECES) ?? [];
  return pieces.flatMap((piece) => (piece.includes('@') ? parseMailbox(piece.trim()) : []));
}

/**
 * The address in any notation: `Name <a@b>`, `a@b (Name)`, `To: a@b`, `'a@b'`, `a@b.`; several where blanks separate
 * them.
 */
function parseMailbox(mailbox: string): string[] {
  if (QUOTED_LOCAL_PART.test(mailbox)) return [mailbox];
  // The quoted name may contain another address.
  const unnamed = mailbox.replaceAll(/"(?:[^"\\]|\\.)*"(?!@)/g, '');
  const notation = unnamed.includes('@') ? unnamed : mailbox;
  const inner = IN_BRACKETS.exec(notation)?.[1] ?? notation.replace(/\([^()]*\)\s*$/, '');
  const address = fromMailto(inner.trim().replace(/^(?!mailto:)[>\w-]*[:>]\s*/i, ''));
  if (QUOTED_LOCAL_PART.test(address)) return [address];
  const bare = stripWrapping(stripWrapping(address).replace(/^"(?=[^"]*$)|["'.>]+$/g, ''));
  const parts = bare.split(/\s+/).filter((part) => part.includes('@'));
  const addresses = parts.length > 1 ? parts : [bare.replace(/(@\S+)\s.*$/s, '$1')];
  return addresses.filter((value) => /[^@]@[^@]/.test(value));
}

const isSeveral = (address: string) => !address.startsWith('"') && address.indexOf('@') !== address.lastIndexOf('@');

function fromMailto(text: string): string {
  if (!/^mailto:/i.test(text)) return text;
  const address = text.slice('mailto:'.length).replace(/\?.*$/s, '');
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
