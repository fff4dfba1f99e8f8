import { type CatalogueEntry, type SentenceContext, fail, warn } from './catalogueEntry.ts';

/** Who can change a key: the provider, if it's behind a CNAME or exactly the listed one. */
export type KeyOwner = 'owner' | 'provider';
type Key = { by: KeyOwner };

const turn = ({ by }: Key): KeyOwner => by;
const describeProviderAction = ({ by }: Key, what: string) =>
  by === 'provider' ? ` There's nothing to change in your DNS: the provider must ${what}.` : '';
const replace = (_: unknown, { type }: SentenceContext) =>
  type === 'CNAME' ? 'Replace the TXT record with this CNAME.' : 'Replace the current record with this one.';
/** Values are case-sensitive (RFC 6376, section 3.2). */
const smallLetters = (written: string, known: string) =>
  written !== known && written.toLowerCase() === known ? `, because it must be lowercase: "${known}"` : '';
/** The name of the key, or the CNAME's target: before a word, and before the end of a clause. */
function formatKeyLocation({ by }: Key, { name, type, expected }: SentenceContext): { at: string; end: string } {
  const end = by === 'provider' && type === 'CNAME' ? `${expected}, which ${name} points to` : name;
  return { at: end === name ? name : `${end},`, end };
}

/** Creates entries about a key: who can change it replaces it, or does what `action` says. */
const ofKey =
  (entryOf: typeof fail) =>
  <Facts = unknown>(
    action: string,
    describe: (facts: Facts, location: { at: string; end: string }) => string,
    todo: CatalogueEntry<Key>['todo'] = replace,
  ): CatalogueEntry<Key & Facts> =>
    entryOf<Key & Facts>({
      turn,
      describe: (facts, about) =>
        `${describe(facts, formatKeyLocation(facts, about))}${describeProviderAction(facts, action)}`,
      todo,
    });
const failOfKey = ofKey(fail);
const warnOfKey = ofKey(warn);

export const dkim = {
  DKIM_REVOKED: failOfKey(
    'publish a new key',
    (_, { at }) => `The key at ${at} is revoked: its "p=" is empty, so receivers reject signatures made with it.`,
  ),
  DKIM_OTHER_KEY: {
    ...failOfKey(
      'publish the key that it signs with',
      (_, { at }) => `The key at ${at} isn't the one that the provider signs with.`,
      (_, about) =>
        `${replace(_, about)} If another service or mail server signs with the current key, leave it and ask the provider for another selector.`,
    ),
    needsDecision: true,
  },
  DKIM_WEAK_KEY: failOfKey<{ bits: number }>(
    'publish a longer one',
    ({ bits }, { end }) => `Receivers reject the key at ${end}: it has ${bits} bits, and the minimum is 1024.`,
  ),
  DKIM_SHORT_KEY: warn<Key & { bits: number }>({
    turn,
    describe: ({ bits, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about).at} works, but has ${bits} bits; 2048 are recommended.${
        facts.by === 'provider' ? " There's nothing to change in your DNS: ask the provider for a longer one." : ''
      }`,
    todo: replace,
  }),
  DKIM_LONG_KEY: warnOfKey<{ bits: number }>(
    'publish a shorter one',
    ({ bits }, { at }) => `The key at ${at} has ${bits} bits. Receivers needn't accept more than 4096.`,
  ),
  DKIM_WITHOUT_SHA256: failOfKey<{ hashes: readonly string[] }>(
    'remove "h=" from the key',
    ({ hashes }, { at }) => `The key at ${at} allows only ${hashes.join(', ')} (h=), but receivers accept only sha256.`,
  ),
  DKIM_NOT_FOR_MAIL: failOfKey<{ services: readonly string[] }>(
    'remove "s=" from the key',
    ({ services }, { at }) =>
      `The key at ${at} is for ${services.join(', ')} (s=), not for mail${services.map((one) => smallLetters(one, 'email')).join('')}.`,
  ),
  DKIM_TEST_MODE: warnOfKey(
    'remove "t=y" from the key',
    (_, { at }) => `The key at ${at} is in test mode (t=y): receivers may treat mail as unsigned.`,
  ),
  DKIM_BROKEN_KEY: failOfKey<{ why: string }>(
    'publish it again',
    ({ why }, { end }) => `Receivers can't use the key at ${end}: ${why}.`,
  ),
  DKIM_VERSION_NOT_FIRST: failOfKey(
    'put it first',
    (_, { end }) => `Receivers discard the key at ${end}, because "v=" isn't its first tag.`,
  ),
  DKIM_VERSION: failOfKey<{ version: string }>(
    'fix that',
    ({ version }, { end }) =>
      `Receivers discard the key at ${end}, because it has "v=${version}" instead of "v=DKIM1".`,
  ),
  DKIM_PKCS1: warnOfKey(
    'publish it in that format',
    (_, { at }) =>
      `The key at ${at} is in PKCS#1 format, which some receivers reject (OpenDKIM, rspamd). All accept SubjectPublicKeyInfo, which starts with "MII".`,
  ),
  SELECTOR_TAKEN: fail<{ target: string; by: string }>({
    turn: 'provider',
    describe: ({ target, by }, { name, type, expected }) =>
      `${name} points to a working key of ${by} (${target}), so another service signs mail with it. Leave it as it is, and ask the provider for another selector. Only if nothing sends through ${by} any more, ${type === 'CNAME' ? `point it to ${expected}` : 'publish the listed record'} instead.`,
  }),
  DKIM_ED25519: warn<Key>({
    turn: 'provider',
    describe: (_, { name }) =>
      `The key at ${name} is an Ed25519 key, which several large receivers don't support yet. Ask the provider for an additional RSA key.`,
  }),
  DKIM_UNKNOWN_KIND: failOfKey<{ kind: string }>(
    'publish an RSA key',
    ({ kind }, { end }) => `Receivers ignore the key at ${end}: they don't support the key type "${kind}" (k=).`,
  ),
  DKIM_SYNTAX: failOfKey<{ what: string }>(
    'fix that',
    ({ what }, { end }) => `Receivers can't read the key at ${end}: ${what}.`,
  ),
  DKIM_LOOSE_SYNTAX: warnOfKey<{ what: string }>(
    'fix that',
    ({ what }, { end }) =>
      `Some receivers may reject the key at ${end}, which violates RFC 6376, section 3.2: ${what}.`,
  ),
  DKIM_PEM_LINES: failOfKey(
    'remove them',
    (_, { at }) => `The key at ${at} still contains the lines of its PEM file, such as "-----BEGIN PUBLIC KEY-----".`,
  ),
  DKIM_CERTIFICATE: failOfKey(
    'publish the key',
    (_, { end }) => `There's a certificate at ${end}, where receivers expect a key.`,
  ),
  /** `isListed` is null for a key that can't be read: it may be cut. */
  DKIM_PRIVATE_KEY: fail<Key & { isListed: boolean | null }>({
    turn,
    describe: ({ isListed, ...facts }, { name, domain }) =>
      `The private key is published at ${name}: anyone can read it and sign mail as ${domain}. ${
        facts.by === 'provider'
          ? 'Tell the provider immediately: it must delete the key, create a new pair and never use this one again.'
          : isListed !== false
            ? `Delete it immediately. The listed key ${isListed ? 'belongs' : 'may belong'} to it and must be replaced: the provider must create a new pair.`
            : 'Delete it immediately, and tell its creator never to use this pair again.'
      }`,
    todo: () => 'Delete the private key now, and publish this record instead.',
  }),
  KEY_IN_SEVERAL_RECORDS: failOfKey<{ count: number }>(
    'keep only one',
    ({ count }, { end }) => `There are ${count} TXT records at ${end}, where receivers expect one with the entire key.`,
    () => 'Keep one record with this entire value, and delete the others.',
  ),
  EXPECTED_KEY_UNREADABLE: fail({
    turn: 'provider',
    describe: () => "Receivers can't use the listed key. Ask the provider for another one.",
  }),

  TXT_COPIED_FROM_TARGET: warn<{ isCompared: boolean }>({
    describe: ({ isCompared }, { name, expected }) =>
      `The key is published directly at ${name}, which stops working when the provider changes it at ${expected}.${
        isCompared ? '' : " Couldn't check whether it's still the same."
      }`,
    todo: () => 'Replace the TXT record with the CNAME.',
  }),
  DKIM_COPY_OUTDATED: fail({
    describe: (_, { name, expected }) =>
      `The key at ${name} isn't the one at ${expected}: either it was copied and the provider has changed it since, or it belongs to another service or mail server. Receivers can't verify the provider's signatures.`,
    todo: () =>
      'If nothing else signs with that key, replace the TXT record with the CNAME. Otherwise leave it and ask the provider for another selector.',
    needsDecision: true,
  }),
  DKIM_COPY_WITHDRAWN: fail<{ isGone: boolean }>({
    turn: 'provider',
    describe: ({ isGone }, { name, expected }) =>
      `The key was copied to ${name}, and ${
        isGone ? `the provider has no key at ${expected} any more` : `the provider has revoked it at ${expected}`
      }. Ask the provider to publish a valid key, then replace the TXT record with the CNAME.`,
  }),
};
