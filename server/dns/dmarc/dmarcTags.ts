import { normalizeDnsName } from '#contract/values/dnsName.ts';
import {
  isReportAddress,
  isAddressTag,
  isValidTagValue,
  type Policy,
  POLICY_TAGS,
  reportDomains,
} from './dmarcRecord.ts';

const SHOWN_MAX = 60;
const ERROR_MAX = 140;

export class DmarcTags {
  readonly values = new Map<string, string>();
  /** Whether a tag is duplicate, so that receivers may ignore the whole record. */
  hasDuplicate = false;
  isPolicyUnknown = false;
  /** Conflicting policies; only the owner can choose. */
  readonly #otherPolicies: string[] = [];
  readonly #errors = new Set<string>();
  readonly #loose: { tag: string; piece: string }[] = [];
  #addressTag = 'rua';
  #lastTag = '';

  get errors(): string[] {
    return [...this.#errors];
  }

  /**
   * Fragments that may belong to an address: without them, the rest may be the address of somebody else. And second
   * policies.
   */
  get unclearParts(): string[] {
    const loose = this.#loose.filter(({ tag, piece }) => piece.includes('@') || this.values.has(tag));
    return [...loose.map(({ piece }) => piece), ...this.#otherPolicies];
  }

  addError(error: string): void {
    this.#errors.add(error.length > ERROR_MAX ? `${error.slice(0, ERROR_MAX)}…` : error);
  }

  add(tag: string, value: string): void {
    this.#lastTag = tag;
    if (isAddressTag(tag)) this.#addressTag = tag;
    const other = this.values.get(tag);
    if (other === undefined) {
      this.values.set(tag, isPolicyTag(tag) ? value.toLowerCase() : value);
      return;
    }
    this.hasDuplicate = true;
    const isConflict = isPolicyTag(tag) && value.toLowerCase() !== other;
    this.addError(
      isConflict
        ? `"${tag}=" is there twice, as ${other} and as ${value.toLowerCase()}, and only you can say which is meant`
        : `"${tag}=" is there twice`,
    );
    // Receivers differ in which of two policies they apply, and some apply neither.
    if (isConflict) this.#otherPolicies.push(`${tag}=${value}`);
    if (isAddressTag(tag)) this.values.set(tag, joinLists(other, value));
  }

  addInterpreted(tag: string, written: string): void {
    this.#lastTag = tag;
    if (isAddressTag(tag)) {
      this.#addressTag = tag;
      this.#addAll(tag, written);
      return;
    }
    const value = written.trim();
    if (isValidTagValue(tag, value)) {
      this.add(tag, value);
      return;
    }
    const meant = interpretValue(tag, value);
    const isStrict = (tag === 'adkim' || tag === 'aspf') && /^\W*s/i.test(value);
    if (isPolicyTag(tag)) this.isPolicyUnknown = true;
    this.addError(
      isPolicyTag(tag)
        ? `"${tag}=${truncate(value)}" is no policy, which must be none, quarantine or reject`
        : `"${tag}=${truncate(value)}" has no value that receivers know${isStrict ? `, so that they take it as relaxed ("${tag}=s" would be strict)` : ''}`,
    );
    if (meant !== null) this.add(tag, meant);
  }

  addAddresses(written: string): void {
    if (this.values.has(this.#addressTag)) this.addError('";" stands between addresses where "," belongs');
    this.#addAll(this.#addressTag, written);
  }

  addUnrecognised(text: string): void {
    this.addError(`"${text}" is no tag with a value`);
    if (isAddressTag(this.#lastTag)) this.#loose.push({ tag: this.#lastTag, piece: text });
  }

  #addAll(tag: string, written: string): void {
    const before = this.values.get(tag);
    const addresses = addressesIn(written);
    const isList = addresses.length > 1 && addresses.every((address) => interpretAddress(address) !== null);
    if (isList && !written.includes(',')) this.addError(`"," is missing between the addresses of "${tag}="`);
    const good: string[] = [];
    for (const address of addresses) {
      const meant = interpretAddress(address);
      if (meant === null) {
        this.addError(`"${truncate(address)}" is no address for reports`);
        this.#loose.push({ tag, piece: address });
      } else {
        if (!/^mailto:/i.test(address) && meant.startsWith('mailto:')) {
          this.addError(`"mailto:" is missing before "${truncate(address)}"`);
        } else if (meant !== address) this.addError(`"${truncate(address)}" is no address as it must be written`);
        good.push(meant);
      }
    }
    if (addresses.length === 0) this.addError(`"${tag}=" has no address`);
    if (good.length > 0)
      this.values.set(tag, before === undefined ? good.join(',') : joinLists(before, good.join(',')));
  }
}

function isPolicyTag(tag: string): boolean {
  return POLICY_TAGS.some((one) => one === tag);
}

function truncate(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function joinLists(...lists: readonly string[]): string {
  return [...new Set(lists.flatMap((list) => list.split(',')).map((one) => one.trim()))].join(',');
}

function addressesIn(written: string): string[] {
  return written
    .replaceAll(/mailto\s*[:=]\s*(?:\/\/)?\s*/gi, ' mailto:')
    .split(/[\s,;|]+/)
    .filter((one) => one !== '');
}

function interpretAddress(written: string): string | null {
  const bare = withoutBrackets(written.replace(/^(?:mailto:)+/i, 'mailto:'));
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(bare) ? bare : `mailto:${bare}`;
  if (/[<>()[\]]/.test(whole)) return null;
  if (isReportAddress(whole)) return isDotted(whole) ? whole : null;
  const [, mailbox = '', domain = '', rest = ''] = /^mailto:([^@]+)@([^?!]+)(.*)$/is.exec(whole) ?? [];
  const ascii = `mailto:${mailbox}@${normalizeDnsName(domain) ?? ''}${rest}`;
  return isReportAddress(ascii) && isDotted(ascii) ? ascii : null;
}

/** Removes brackets around an address, inside or outside of `mailto:`, and punctuation after it. */
function withoutBrackets(written: string): string {
  const [, opening = '', scheme = ''] = /^([<([]*)(mailto:[<([]*)?/i.exec(written) ?? [];
  let end = written.length;
  while (end > 0 && '>)].'.includes(written.charAt(end - 1))) end--;
  return scheme.slice(0, 'mailto:'.length) + written.slice(opening.length + scheme.length, end);
}

/** Whether an address has a domain of at least two labels. A domain without a dot has lost one. */
function isDotted(address: string): boolean {
  return reportDomains({ tags: new Map([['rua', address]]) }).every((domain) => /[^.]\.[^.]/.test(domain));
}

function interpretValue(tag: string, written: string): string | null {
  const word = written.toLowerCase();
  const [letters = ''] = /[a-z]+/.exec(word) ?? [];
  switch (tag) {
    case 'p':
    case 'sp':
    case 'np':
      return interpretPolicy(letters);
    case 'adkim':
    case 'aspf':
      // Receivers read any word as relaxed, even "strict". Mail may depend on that, so it's kept.
      return letters === 's' ? 's' : /^[rs]/.test(letters) ? 'r' : null;
    case 't':
    case 'psd':
      return /^[ynu]/.exec(letters)?.[0] ?? null;
    case 'fo':
      return [...new Set(word.match(/(?<![a-z])[01ds](?![a-z])/g))].join(':') || null;
    case 'pct':
      return String(Math.min(100, Number(/^\d+/.exec(word)?.[0] ?? 100)));
    case 'rf':
      return /afrf|iodef/.exec(word)?.[0] ?? null;
    case 'ri':
      return /\d{1,9}/.exec(word)?.[0] ?? null;
    default:
      return null;
  }
}

function interpretPolicy(word: string): Policy | null {
  if (word.startsWith('q')) return 'quarantine';
  if (/^re?j|^reg?ect|^refus/.test(word)) return 'reject';
  return /^no|^mon|^nn/.test(word) ? 'none' : null;
}
