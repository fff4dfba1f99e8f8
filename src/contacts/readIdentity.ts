import { segmentFault } from '#contract/endpoint.ts';
import { UUID } from '#contract/field.ts';

/**
 * What somebody typed or pasted, read as something a contact can be found by. `values` are tried in turn, most
 * likely first; `as` says how the text was read, for the person who typed it.
 */
export type IdentityReading =
  | { ok: true; kind: 'uuid' | 'email' | 'phone' | 'custom'; values: string[]; as: string }
  | { ok: false; fault: string };

const EMAIL = /[^\s<>,;:"()]+@[^\s<>,;:"()]+/g;
const PHONE = /^\+?[\d\s().\-/\u2010-\u2015]{5,40}$/;
/** Spaces of every kind, and the invisible characters that come along when text is copied from a mail or a page. */
const EDGES = /^[\s\u200b-\u200f\u2060\ufeff]+|[\s\u200b-\u200f\u2060\ufeff]+$/g;

/** `identityField` is the workspace's own identity, null when it has none, undefined when the service does not tell. */
export function readIdentity(text: string, identityField: string | null | undefined): IdentityReading {
  const trimmed = text.replaceAll(EDGES, '');
  if (trimmed === '') return { ok: false, fault: 'Type or paste an email, a phone number, an ID or a UUID.' };
  const fault = segmentFault(trimmed);
  if (fault !== null) return { ok: false, fault: `This ${fault}, so nobody can be looked up by it.` };

  const uuid = trimmed.replace(/^urn:uuid:/i, '').replace(/^\{(.*)\}$/, '$1');
  if (UUID.test(uuid)) return { ok: true, kind: 'uuid', values: [uuid.toLowerCase()], as: 'the UUID of a contact' };
  if (trimmed.includes('@')) return readEmail(trimmed);

  const own = identityField ?? 'another identity';
  const number = trimmed.replace(/^(tel|sms|callto):/i, '').replaceAll(EDGES, '');
  if (PHONE.test(number) && /\d{5}|\d.*\d.*\d.*\d.*\d/.test(number)) {
    const compact = number.replaceAll(/[^\d+]/g, '');
    const values = [...new Set([number, compact])];
    const also = values.length > 1 ? `, also tried as ${compact}` : '';
    return {
      ok: true,
      kind: 'phone',
      values,
      as: `a phone number${identityField ? ` or ${identityField}` : ''}${also}`,
    };
  }
  if (identityField === null) {
    return {
      ok: true,
      kind: 'custom',
      values: [trimmed],
      as: 'text that is no UUID, email or phone, and this workspace has no other identity',
    };
  }
  return { ok: true, kind: 'custom', values: [trimmed], as: own };
}

/** An email in any dress: `Name <a@b>`, `mailto:a@b?subject=...`, with quotes, commas or brackets around it. */
function readEmail(text: string): IdentityReading {
  const bare = fromMailto(text);
  const inBrackets = /<\s*([^<>]+@[^<>]+?)\s*>/g;
  const bracketed = [...bare.matchAll(inBrackets)].map((match) => match[1] ?? '');
  if (bracketed.length === 1) return email(bracketed[0] ?? '');
  const found = bracketed.length > 1 ? bracketed : (bare.match(EMAIL) ?? []);
  const distinct = new Set(found.map((value) => value.toLowerCase()));
  if (distinct.size > 1) return { ok: false, fault: `These are ${distinct.size} addresses. Look up one at a time.` };
  // A local part may hold almost anything, spaces included: without a dress around it, the text is the address.
  const dressed = /^["'(<[,;]|["')>\],;]$/.test(bare);
  return email(dressed ? (found[0] ?? bare) : bare);
}

function email(value: string): IdentityReading {
  const folded = value.replaceAll(EDGES, '').toLowerCase();
  return { ok: true, kind: 'email', values: [folded], as: `the email ${folded}` };
}

function fromMailto(text: string): string {
  if (!/^mailto:/i.test(text)) return text;
  const address = text.slice('mailto:'.length).replace(/\?.*$/s, '');
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
