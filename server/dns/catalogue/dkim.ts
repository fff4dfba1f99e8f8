import { type SentenceContext, defineEntry } from './catalogueEntry.ts';

/** Who can change a key: the provider, if it's behind a CNAME or exactly the listed one. */
export type KeyOwner = 'owner' | 'provider';
type Key = { by: KeyOwner };

const broken = { record: 'fail', advice: 'warn' } as const;
const turn = ({ by }: Key): KeyOwner => by;
const describeProviderAction = ({ by }: Key, what: string) =>
  by === 'provider' ? ` There's nothing to change in your DNS: the provider must ${what}.` : '';
const replace = (_: unknown, { type }: SentenceContext) =>
  type === 'CNAME' ? 'Replace the TXT record with this CNAME.' : 'Replace the current record with this one.';
/** Values are case-sensitive (RFC 6376, section 3.2). */
const smallLetters = (written: string, known: string) =>
  written !== known && written.toLowerCase() === known ? `, because it must be lowercase: "${known}"` : '';
/** The name of the key, or the CNAME's target. `before`: what follows, a word or a punctuation mark. */
const formatKeyLocation = ({ by }: Key, { name, type, expected }: SentenceContext, before: 'word' | 'mark' = 'word') =>
  by === 'provider' && type === 'CNAME' ? `${expected}, which ${name} points to${before === 'word' ? ',' : ''}` : name;

export const dkim = {
  DKIM_REVOKED: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} is revoked: its "p=" is empty, so receivers reject signatures made with it.${describeProviderAction(facts, 'publish a new key')}`,
    todo: replace,
  }),
  DKIM_OTHER_KEY: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} isn't the one that the provider signs with.${describeProviderAction(facts, 'publish the key that it signs with')}`,
    todo: (_, about) =>
      `${replace(_, about)} If another service or mail server signs with the current key, leave it and ask the provider for another selector.`,
  }),
  DKIM_WEAK_KEY: defineEntry<Key & { bits: number }>({
    result: broken,
    turn,
    describe: ({ bits, ...facts }, about) =>
      `Receivers reject the key at ${formatKeyLocation(facts, about, 'mark')}: it has ${bits} bits, and the minimum is 1024.${describeProviderAction(facts, 'publish a longer one')}`,
    todo: replace,
  }),
  DKIM_SHORT_KEY: defineEntry<Key & { bits: number }>({
    result: 'warn',
    turn,
    describe: ({ bits, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} works, but has ${bits} bits; 2048 are recommended.${
        facts.by === 'provider' ? " There's nothing to change in your DNS: ask the provider for a longer one." : ''
      }`,
    todo: replace,
  }),
  DKIM_LONG_KEY: defineEntry<Key & { bits: number }>({
    result: 'warn',
    turn,
    describe: ({ bits, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} has ${bits} bits. Receivers needn't accept more than 4096.${describeProviderAction(facts, 'publish a shorter one')}`,
    todo: replace,
  }),
  DKIM_WITHOUT_SHA256: defineEntry<Key & { hashes: readonly string[] }>({
    result: broken,
    turn,
    describe: ({ hashes, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} allows only ${hashes.join(', ')} (h=), but receivers accept only sha256.${describeProviderAction(facts, 'remove "h=" from the key')}`,
    todo: replace,
  }),
  DKIM_NOT_FOR_MAIL: defineEntry<Key & { services: readonly string[] }>({
    result: broken,
    turn,
    describe: ({ services, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} is for ${services.join(', ')} (s=), not for mail${services.map((one) => smallLetters(one, 'email')).join('')}.${describeProviderAction(facts, 'remove "s=" from the key')}`,
    todo: replace,
  }),
  DKIM_TEST_MODE: defineEntry<Key>({
    result: 'warn',
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} is in test mode (t=y): receivers may treat mail as unsigned.${describeProviderAction(facts, 'remove "t=y" from the key')}`,
    todo: replace,
  }),
  DKIM_BROKEN_KEY: defineEntry<Key & { why: string }>({
    result: broken,
    turn,
    describe: ({ why, ...facts }, about) =>
      `Receivers can't use the key at ${formatKeyLocation(facts, about, 'mark')}: ${why}.${describeProviderAction(facts, 'publish it again')}`,
    todo: replace,
  }),
  DKIM_VERSION_NOT_FIRST: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `Receivers discard the key at ${formatKeyLocation(facts, about, 'mark')}, because "v=" isn't its first tag.${describeProviderAction(facts, 'put it first')}`,
    todo: replace,
  }),
  DKIM_VERSION: defineEntry<Key & { version: string }>({
    result: broken,
    turn,
    describe: ({ version, ...facts }, about) =>
      `Receivers discard the key at ${formatKeyLocation(facts, about, 'mark')}, because it has "v=${version}" instead of "v=DKIM1".${describeProviderAction(facts, 'fix that')}`,
    todo: replace,
  }),
  DKIM_PKCS1: defineEntry<Key>({
    result: 'warn',
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} is in PKCS#1 format, which some receivers reject (OpenDKIM, rspamd). All accept SubjectPublicKeyInfo, which starts with "MII".${describeProviderAction(facts, 'publish it in that format')}`,
    todo: replace,
  }),
  SELECTOR_TAKEN: defineEntry<{ target: string; by: string }>({
    result: broken,
    turn: 'provider',
    describe: ({ target, by }, { name, type, expected }) =>
      `${name} points to a working key of ${by} (${target}), so another service signs mail with it. Leave it as it is, and ask the provider for another selector. Only if nothing sends through ${by} any more, ${type === 'CNAME' ? `point it to ${expected}` : 'publish the listed record'} instead.`,
  }),
  DKIM_ED25519: defineEntry<Key>({
    result: 'warn',
    turn: 'provider',
    describe: (_, { name }) =>
      `The key at ${name} is an Ed25519 key, which several large receivers don't support yet. Ask the provider for an additional RSA key.`,
  }),
  DKIM_UNKNOWN_KIND: defineEntry<Key & { kind: string }>({
    result: broken,
    turn,
    describe: ({ kind, ...facts }, about) =>
      `Receivers ignore the key at ${formatKeyLocation(facts, about, 'mark')}: they don't support the key type "${kind}" (k=).${describeProviderAction(facts, 'publish an RSA key')}`,
    todo: replace,
  }),
  DKIM_SYNTAX: defineEntry<Key & { what: string }>({
    result: broken,
    turn,
    describe: ({ what, ...facts }, about) =>
      `Receivers can't read the key at ${formatKeyLocation(facts, about, 'mark')}: ${what}.${describeProviderAction(facts, 'fix that')}`,
    todo: replace,
  }),
  DKIM_LOOSE_SYNTAX: defineEntry<Key & { what: string }>({
    result: 'warn',
    turn,
    describe: ({ what, ...facts }, about) =>
      `Some receivers may reject the key at ${formatKeyLocation(facts, about, 'mark')}, which violates RFC 6376, section 3.2: ${what}.${describeProviderAction(facts, 'fix that')}`,
    todo: replace,
  }),
  DKIM_PEM_LINES: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} still contains the lines of its PEM file, such as "-----BEGIN PUBLIC KEY-----".${describeProviderAction(facts, 'remove them')}`,
    todo: replace,
  }),
  DKIM_CERTIFICATE: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `There's a certificate at ${formatKeyLocation(facts, about, 'mark')}, where receivers expect a key.${describeProviderAction(facts, 'publish the key')}`,
    todo: replace,
  }),
  DKIM_PRIVATE_KEY: defineEntry<Key & { isListed: boolean }>({
    result: broken,
    turn,
    describe: ({ isListed, ...facts }, { name, domain }) =>
      `The private key is published at ${name}: anyone can read it and sign mail as ${domain}. ${
        facts.by === 'provider'
          ? 'Tell the provider immediately: it must delete the key, create a new pair and never use this one again.'
          : isListed
            ? 'Delete it immediately. The listed key belongs to it and must be replaced: the provider must create a new pair.'
            : 'Delete it immediately, and tell its creator never to use this pair again.'
      }`,
    todo: () => 'Delete the private key now, and publish this record instead.',
  }),
  KEY_IN_SEVERAL_RECORDS: defineEntry<Key & { count: number }>({
    result: broken,
    turn,
    describe: ({ count, ...facts }, about) =>
      `There are ${count} TXT records at ${formatKeyLocation(facts, about, 'mark')}, where receivers expect one with the entire key.${describeProviderAction(facts, 'keep only one')}`,
    todo: () => 'Keep one record with this entire value, and delete the others.',
  }),
  EXPECTED_KEY_UNREADABLE: defineEntry({
    result: broken,
    turn: 'provider',
    describe: () => "Receivers can't use the listed key. Ask the provider for another one.",
  }),

  TXT_COPIED_FROM_TARGET: defineEntry<{ isCompared: boolean }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ isCompared }, { name, expected }) =>
      `The key is published directly at ${name}, which stops working when the provider changes it at ${expected}.${
        isCompared ? '' : " Couldn't check whether it's still the same."
      }`,
    todo: () => 'Replace the TXT record with the CNAME.',
  }),
  DKIM_COPY_OUTDATED: defineEntry({
    result: broken,
    turn: 'owner',
    describe: (_, { name, expected }) =>
      `The key at ${name} isn't the one at ${expected}: either it was copied and the provider has changed it since, or it belongs to another service or mail server. Receivers can't verify the provider's signatures.`,
    todo: () =>
      'If nothing else signs with that key, replace the TXT record with the CNAME. Otherwise leave it and ask the provider for another selector.',
  }),
  DKIM_COPY_WITHDRAWN: defineEntry<{ isGone: boolean }>({
    result: broken,
    turn: 'provider',
    describe: ({ isGone }, { name, expected }) =>
      `The key was copied to ${name}, and ${
        isGone ? `the provider has no key at ${expected} any more` : `the provider has revoked it at ${expected}`
      }. Ask the provider to publish a valid key, then replace the TXT record with the CNAME.`,
  }),
};
