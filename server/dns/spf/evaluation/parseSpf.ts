import { isIP } from 'node:net';
import { foldCase } from '../../wire/names.ts';
import { type AddressSet, ALL_ADDRESSES, network } from './addressSet.ts';
import { lettersOf, type MacroString, parseMacroString } from './macroString.ts';
import { memoizeByText } from './memoizeByText.ts';

// The grammar of SPF records (RFC 7208, section 12).

export type Qualifier = '+' | '-' | '~' | '?';

type Mechanism = { text: string; qualifier: Qualifier };

export type AddressMechanism = Mechanism & { kind: 'all' | 'ip4' | 'ip6'; addresses: AddressSet };

export type LookUpMechanism = Mechanism & {
  kind: 'include' | 'a' | 'mx' | 'ptr' | 'exists';
  target: MacroString | null;
  /** The target as it is written; empty for the domain of the record. */
  written: string;
  bits4: number;
  bits6: number;
};

type Modifier = { text: string; kind: 'redirect' | 'exp' | 'modifier'; target: MacroString; written: string };

export type Term = AddressMechanism | LookUpMechanism | Modifier;
export type Redirect = Modifier & { kind: 'redirect' };

export type SpfRecord = {
  terms: readonly Term[];
  /** Syntax errors, as they are written. With any, receivers treat the record as broken. */
  errors: readonly string[];
};

/** Characters, to limit the work. RFC 7208, section 3.4, requires records to fit in 512 bytes. */
export const RECORD_MAX = 8192;

export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text);
}

export function splitTerms(text: string): string[] {
  return text.split(/ +/).slice(1).filter(Boolean);
}

export const parseSpf = memoizeByText(parseUncached);

function parseUncached(text: string): SpfRecord {
  const seen = new Set<string>();
  const terms: Term[] = [];
  const errors: string[] = [];
  for (const word of splitTerms(text)) {
    const term = parseTerm(word);
    const isAgain = term !== null && /^(redirect|exp)$/.test(term.kind) && seen.has(term.kind);
    if (term === null || isAgain) {
      errors.push(word);
      continue;
    }
    seen.add(term.kind);
    terms.push(term);
  }
  return { terms, errors };
}

export function parseTerm(text: string): Term | null {
  const [, name = '', value] = /^([a-z][\w.-]*)=(.*)$/is.exec(text) ?? [];
  if (value !== undefined) return modifier(text, foldCase(name), value);
  const [, qualifier = '', kind = '', rest = ''] = /^([+\-~?]?)([a-z\d]+)(.*)$/is.exec(text) ?? [];
  return mechanism({ text, qualifier: (qualifier || '+') as Qualifier }, foldCase(kind), rest);
}

export function isAddressMechanism(term: Term): term is AddressMechanism {
  return term.kind === 'all' || term.kind === 'ip4' || term.kind === 'ip6';
}

export function isLookUpMechanism(term: Term): term is LookUpMechanism {
  return 'bits4' in term;
}

export function isRedirect(term: Term): term is Redirect {
  return term.kind === 'redirect';
}

function modifier(text: string, name: string, value: string): Modifier | null {
  const isKnown = name === 'redirect' || name === 'exp';
  const target = isKnown ? domainSpec(value) : parseMacroString(value);
  return target && { text, kind: isKnown ? name : 'modifier', target, written: value };
}

function mechanism(base: Mechanism, kind: string, rest: string): AddressMechanism | LookUpMechanism | null {
  switch (kind) {
    case 'all':
      return rest === '' ? { ...base, kind, addresses: ALL_ADDRESSES } : null;
    case 'ip4':
    case 'ip6': {
      const [, address = '', length] = /^:([\da-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(rest) ?? [];
      const bits = kind === 'ip4' ? 32 : 128;
      if (isIP(address) !== Number(kind.slice(2)) || Number(length ?? 0) > bits) return null;
      return { ...base, kind, addresses: network(address, Number(length ?? bits)) };
    }
    case 'include':
    case 'exists':
    case 'ptr': {
      if (rest === '' && kind === 'ptr') return { ...base, kind, target: null, written: '', bits4: 32, bits6: 128 };
      const target = rest.startsWith(':') ? domainSpec(rest.slice(1)) : null;
      return target && { ...base, kind, target, written: rest.slice(1), bits4: 32, bits6: 128 };
    }
    case 'a':
    case 'mx': {
      const [, spec = '', length4 = '32', length6 = '128'] =
        /^(.*?)(?:\/(0|[1-9]\d?))?(?:\/\/(0|[1-9]\d{0,2}))?$/s.exec(rest) ?? [];
      const [bits4, bits6] = [Number(length4), Number(length6)];
      if (bits4 > 32 || bits6 > 128) return null;
      if (spec === '') return { ...base, kind, target: null, written: '', bits4, bits6 };
      const target = spec.startsWith(':') ? domainSpec(spec.slice(1)) : null;
      return target && { ...base, kind, target, written: spec.slice(1), bits4, bits6 };
    }
    default:
      return null;
  }
}

const DOMAIN_END = /(?:%[%_-]|%\{[^{}]*\}|\.(?=\d*[a-z-])[a-z\d](?:[a-z\d-]*[a-z\d])?\.?)$/i;

/** A domain-spec: a macro string that ends in a macro, or in a dot and a top label not all of digits. */
function domainSpec(text: string): MacroString | null {
  const macros = parseMacroString(text);
  if (macros === null || !DOMAIN_END.test(text)) return null;
  // These three are allowed only in explanations (RFC 7208, section 7.2).
  return lettersOf(macros).some((letter) => /[crt]/.test(letter)) ? null : macros;
}
