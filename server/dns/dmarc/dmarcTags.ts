import { dnsName } from '#contract/dnsName.ts';
import {
  isAddress,
  isAddressTag,
  isValueOf,
  type Policy,
  POLICY_TAGS,
  reportDomains,
  strengthOf,
} from './dmarcRecord.ts';

const SHOWN_MAX = 60;
const FAULT_MAX = 140;

/** Gathers what a badly written DMARC record means. */
export class DmarcTags {
  readonly read = new Map<string, string>();
  /** Whether a tag is there twice, so that receivers may leave out all of them. */
  isTwice = false;
  /** Whether it names a policy that nobody knows. */
  isPolicyUnknown = false;
  readonly #faults = new Set<string>();
  /** What is no address among those of a tag. */
  readonly #loose: { tag: string; piece: string }[] = [];
  #addressTag = 'rua';
  #lastTag = '';

  get faults(): string[] {
    return [...this.#faults];
  }

  /** What may be a part of an address: what is left of that can belong to somebody else. */
  get lost(): string[] {
    return this.#loose.filter(({ tag, piece }) => piece.includes('@') || this.read.has(tag)).map(({ piece }) => piece);
  }

  blame(fault: string): void {
    this.#faults.add(fault.length > FAULT_MAX ? `${fault.slice(0, FAULT_MAX)}…` : fault);
  }

  /** A tag with a value that receivers can read. */
  add(tag: string, value: string): void {
    this.#lastTag = tag;
    if (isAddressTag(tag)) this.#addressTag = tag;
    const other = this.read.get(tag);
    if (other === undefined) {
      this.read.set(tag, isPolicyTag(tag) ? value.toLowerCase() : value);
      return;
    }
    this.isTwice = true;
    this.blame(`"${tag}=" is there twice`);
    if (isAddressTag(tag)) this.read.set(tag, together(other, value));
    // Which one counts is up to each receiver: nobody may be less protected than before.
    else if (isPolicyTag(tag) && strengthOf(value) > strengthOf(other)) this.read.set(tag, value.toLowerCase());
  }

  /** A tag with a value as it is written. */
  addMeant(tag: string, written: string): void {
    this.#lastTag = tag;
    if (isAddressTag(tag)) {
      this.#addressTag = tag;
      this.#addAll(tag, written);
      return;
    }
    const value = written.trim();
    if (isValueOf(tag, value)) {
      this.add(tag, value);
      return;
    }
    const meant = meantValue(tag, value);
    if (isPolicyTag(tag)) this.isPolicyUnknown = true;
    this.blame(
      isPolicyTag(tag)
        ? `"${tag}=${shown(value)}" is no policy, which must be none, quarantine or reject`
        : `"${tag}=${shown(value)}" has no value that receivers know`,
    );
    if (meant !== null) this.add(tag, meant);
  }

  /** Addresses that follow those of a tag, after a semicolon. */
  addAddresses(written: string): void {
    if (this.read.has(this.#addressTag)) this.blame('";" stands between addresses where "," belongs');
    this.#addAll(this.#addressTag, written);
  }

  /** What is neither a tag nor an address. */
  addLoose(text: string): void {
    this.blame(`"${text}" is no tag with a value`);
    if (isAddressTag(this.#lastTag)) this.#loose.push({ tag: this.#lastTag, piece: text });
  }

  #addAll(tag: string, written: string): void {
    const before = this.read.get(tag);
    const addresses = addressesIn(written);
    const isList = addresses.length > 1 && addresses.every((address) => meantAddress(address) !== null);
    if (isList && !written.includes(',')) this.blame(`"," is missing between the addresses of "${tag}="`);
    const good: string[] = [];
    for (const address of addresses) {
      const meant = meantAddress(address);
      if (meant === null) {
        this.blame(`"${shown(address)}" is no address for reports`);
        this.#loose.push({ tag, piece: address });
      } else {
        if (!/^mailto:/i.test(address) && meant.startsWith('mailto:')) {
          this.blame(`"mailto:" is missing before "${shown(address)}"`);
        } else if (meant !== address) this.blame(`"${shown(address)}" is no address as it must be written`);
        good.push(meant);
      }
    }
    if (addresses.length === 0) this.blame(`"${tag}=" has no address`);
    if (good.length > 0) this.read.set(tag, before === undefined ? good.join(',') : together(before, good.join(',')));
  }
}

function isPolicyTag(tag: string): boolean {
  return POLICY_TAGS.some((one) => one === tag);
}

function shown(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function together(...lists: readonly string[]): string {
  return [...new Set(lists.flatMap((list) => list.split(',')).map((one) => one.trim()))].join(',');
}

function addressesIn(written: string): string[] {
  return written
    .replaceAll(/mailto\s*[:=]\s*(?:\/\/)?\s*/gi, ' mailto:')
    .split(/[\s,;|]+/)
    .filter((one) => one !== '');
}

/** The address with its scheme and an ASCII domain; null where it is none. */
function meantAddress(written: string): string | null {
  const bare = withoutBrackets(written.replace(/^(?:mailto:)+/i, 'mailto:'));
  const whole = /^[a-z][a-z0-9+.-]*:/i.test(bare) ? bare : `mailto:${bare}`;
  if (/[<>()[\]]/.test(whole)) return null;
  if (isAddress(whole)) return isDotted(whole) ? whole : null;
  const [, mailbox = '', domain = '', rest = ''] = /^mailto:([^@]+)@([^?!]+)(.*)$/i.exec(whole) ?? [];
  const ascii = `mailto:${mailbox}@${dnsName(domain) ?? ''}${rest}`;
  return isAddress(ascii) && isDotted(ascii) ? ascii : null;
}

/** Without the brackets around an address, inside or outside of `mailto:`, and without the end of a sentence. */
function withoutBrackets(written: string): string {
  const [, opening = '', scheme = ''] = /^([<([]*)(mailto:[<([]*)?/i.exec(written) ?? [];
  let end = written.length;
  while (end > 0 && '>)].'.includes(written.charAt(end - 1))) end--;
  return scheme.slice(0, 'mailto:'.length) + written.slice(opening.length + scheme.length, end);
}

/** Whether an address for mail has a domain of at least two labels: what a lost dot left over is no address. */
function isDotted(address: string): boolean {
  return reportDomains({ tags: new Map([['rua', address]]) }).every((domain) => /[^.]\.[^.]/.test(domain));
}

/** What somebody meant who wrote a value that receivers do not know; null when nobody can tell. */
function meantValue(tag: string, written: string): string | null {
  const word = written.toLowerCase();
  const [letters = ''] = /[a-z]+/.exec(word) ?? [];
  switch (tag) {
    case 'p':
    case 'sp':
    case 'np':
      return meantPolicy(letters);
    case 'adkim':
    case 'aspf':
      return /^[rs]/.exec(letters)?.[0] ?? null;
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

function meantPolicy(word: string): Policy | null {
  if (word.startsWith('q')) return 'quarantine';
  if (/^re?j|^reg?ect|^refus/.test(word)) return 'reject';
  return /^no|^mon|^nn/.test(word) ? 'none' : null;
}
