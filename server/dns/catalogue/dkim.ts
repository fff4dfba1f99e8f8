import { type SentenceContext, defineEntry } from './catalogueEntry.ts';

/** Who can change a key: the provider, when it is behind a CNAME or exactly the listed one. */
export type KeyOwner = 'owner' | 'provider';
type Key = { by: KeyOwner };

const broken = { record: 'fail', advice: 'warn' } as const;
const turn = ({ by }: Key): KeyOwner => by;
const describeProviderAction = ({ by }: Key, what: string) =>
  by === 'provider' ? ` There is nothing to change in your DNS: the provider must ${what}.` : '';
const replace = (_: unknown, { type }: SentenceContext) =>
  type === 'CNAME' ? 'Replace the TXT record with this CNAME.' : 'Replace the current record with this one.';
/** What is right but for capital letters (RFC 6376, section 3.2: values are case-sensitive). */
const smallLetters = (written: string, known: string) =>
  written !== known && written.toLowerCase() === known ? `, because it must be in small letters: "${known}"` : '';
/** The name of the key: the target of the CNAME, if there is one. `before` is what follows it: a word, or a mark. */
const formatKeyLocation = ({ by }: Key, { name, type, expected }: SentenceContext, before: 'word' | 'mark' = 'word') =>
  by === 'provider' && type === 'CNAME' ? `${expected}, where ${name} leads${before === 'word' ? ',' : ''}` : name;

export const dkim = {
  DKIM_REVOKED: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} is withdrawn: its "p=" is empty, so that receivers accept no signature with it.${describeProviderAction(facts, 'publish a new key')}`,
    todo: replace,
  }),
  DKIM_OTHER_KEY: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} is not the one that the provider signs with.${describeProviderAction(facts, 'publish the key that it signs with')}`,
    todo: (_, about) =>
      `${replace(_, about)} If another service or mail server signs with the key that is there, leave it, and ask the provider for another selector.`,
  }),
  DKIM_WEAK_KEY: defineEntry<Key & { bits: number }>({
    result: broken,
    turn,
    describe: ({ bits, ...facts }, about) =>
      `Receivers refuse the key at ${formatKeyLocation(facts, about, 'mark')}: it has ${bits} bits, and 1024 are the least that counts.${describeProviderAction(facts, 'make a longer one')}`,
    todo: replace,
  }),
  DKIM_SHORT_KEY: defineEntry<Key & { bits: number }>({
    result: 'warn',
    turn,
    describe: ({ bits, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} works. It has ${bits} bits, and 2048 are recommended.${
        facts.by === 'provider' ? ' There is nothing to change in your DNS: ask the provider for a longer one.' : ''
      }`,
    todo: replace,
  }),
  DKIM_LONG_KEY: defineEntry<Key & { bits: number }>({
    result: 'warn',
    turn,
    describe: ({ bits, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} has ${bits} bits. Receivers need not read more than 4096.${describeProviderAction(facts, 'make a shorter one')}`,
    todo: replace,
  }),
  DKIM_WITHOUT_SHA256: defineEntry<Key & { hashes: readonly string[] }>({
    result: broken,
    turn,
    describe: ({ hashes, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} allows only ${hashes.join(', ')} (h=), and receivers accept only sha256.${describeProviderAction(facts, 'take "h=" out of the key')}`,
    todo: replace,
  }),
  DKIM_NOT_FOR_MAIL: defineEntry<Key & { services: readonly string[] }>({
    result: broken,
    turn,
    describe: ({ services, ...facts }, about) =>
      `The key at ${formatKeyLocation(facts, about)} is for ${services.join(', ')} (s=), and not for mail${services.map((one) => smallLetters(one, 'email')).join('')}.${describeProviderAction(facts, 'take "s=" out of the key')}`,
    todo: replace,
  }),
  DKIM_TEST_MODE: defineEntry<Key>({
    result: 'warn',
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} is in test mode (t=y): receivers may treat mail as if it were not signed.${describeProviderAction(facts, 'take "t=y" out of the key')}`,
    todo: replace,
  }),
  DKIM_BROKEN_KEY: defineEntry<Key & { why: string }>({
    result: broken,
    turn,
    describe: ({ why, ...facts }, about) =>
      `Receivers cannot use the key at ${formatKeyLocation(facts, about, 'mark')}: ${why}.${describeProviderAction(facts, 'publish it again')}`,
    todo: replace,
  }),
  DKIM_VERSION_NOT_FIRST: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `Receivers discard the key at ${formatKeyLocation(facts, about, 'mark')}, because "v=" is not at its beginning.${describeProviderAction(facts, 'put it there')}`,
    todo: replace,
  }),
  DKIM_VERSION: defineEntry<Key & { version: string }>({
    result: broken,
    turn,
    describe: ({ version, ...facts }, about) =>
      `Receivers discard the key at ${formatKeyLocation(facts, about, 'mark')}, because it says "v=${version}" and not "v=DKIM1".${describeProviderAction(facts, 'correct that')}`,
    todo: replace,
  }),
  DKIM_PKCS1: defineEntry<Key>({
    result: 'warn',
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} is written in the form PKCS#1, which some receivers refuse (OpenDKIM, rspamd). All of them read the usual form, which begins with "MII" and has its kind in it (SubjectPublicKeyInfo).${describeProviderAction(facts, 'publish it in that form')}`,
    todo: replace,
  }),
  SELECTOR_TAKEN: defineEntry<{ target: string; by: string }>({
    result: broken,
    turn: 'provider',
    describe: ({ target, by }, { name, type, expected }) =>
      `${name} leads to a working key of ${by} (${target}), so another service signs mail with it. Leave it as it is, and ask the provider for another selector. Only if nothing sends by ${by} any more can ${type === 'CNAME' ? `it lead to ${expected}` : 'the listed record stand'} in its place.`,
  }),
  DKIM_ED25519: defineEntry<Key>({
    result: 'warn',
    turn: 'provider',
    describe: (_, { name }) =>
      `The key at ${name} is an Ed25519 key, which several large receivers cannot use yet. Ask the provider for an RSA key to have beside it.`,
  }),
  DKIM_UNKNOWN_KIND: defineEntry<Key & { kind: string }>({
    result: broken,
    turn,
    describe: ({ kind, ...facts }, about) =>
      `Receivers ignore the key at ${formatKeyLocation(facts, about, 'mark')}: they know no keys of the kind "${kind}" (k=).${describeProviderAction(facts, 'publish an RSA key')}`,
    todo: replace,
  }),
  DKIM_SYNTAX: defineEntry<Key & { what: string }>({
    result: broken,
    turn,
    describe: ({ what, ...facts }, about) =>
      `Receivers cannot read the key at ${formatKeyLocation(facts, about, 'mark')}: ${what}.${describeProviderAction(facts, 'correct that')}`,
    todo: replace,
  }),
  DKIM_LOOSE_SYNTAX: defineEntry<Key & { what: string }>({
    result: 'warn',
    turn,
    describe: ({ what, ...facts }, about) =>
      `Some receivers may refuse the key at ${formatKeyLocation(facts, about, 'mark')}, which is not written as the standard wants it (RFC 6376, section 3.2): ${what}.${describeProviderAction(facts, 'correct that')}`,
    todo: replace,
  }),
  DKIM_PEM_LINES: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `The key at ${formatKeyLocation(facts, about)} still has the lines of its file around it, such as "-----BEGIN PUBLIC KEY-----".${describeProviderAction(facts, 'take them out')}`,
    todo: replace,
  }),
  DKIM_CERTIFICATE: defineEntry<Key>({
    result: broken,
    turn,
    describe: (facts, about) =>
      `There is a certificate at ${formatKeyLocation(facts, about, 'mark')}, where receivers expect only a key.${describeProviderAction(facts, 'publish the key')}`,
    todo: replace,
  }),
  DKIM_PRIVATE_KEY: defineEntry<Key & { isListed: boolean }>({
    result: broken,
    turn,
    describe: ({ isListed, ...facts }, { name, domain }) =>
      `The private key is published at ${name}: everybody can read it and sign mail as ${domain}. ${
        facts.by === 'provider'
          ? 'Tell the provider at once: it must delete the key, make a new pair and never use this one again.'
          : isListed
            ? 'Delete it at once. The listed key belongs to it and is of no use any more: the provider must make a new pair.'
            : 'Delete it at once, and tell its creator never to use this pair again.'
      }`,
    todo: () => 'Delete the private key now, and publish this record in its place.',
  }),
  KEY_IN_SEVERAL_RECORDS: defineEntry<Key & { count: number }>({
    result: broken,
    turn,
    describe: ({ count, ...facts }, about) =>
      `There are ${count} TXT records at ${formatKeyLocation(facts, about, 'mark')}, where receivers expect one with the whole key.${describeProviderAction(facts, 'leave only one')}`,
    todo: () => 'Keep one record with this whole value, and delete the others.',
  }),
  EXPECTED_KEY_UNREADABLE: defineEntry({
    result: broken,
    turn: 'provider',
    describe: () => 'Receivers cannot use the key that should be published. The provider must give another one.',
  }),

  TXT_COPIED_FROM_TARGET: defineEntry<{ isCompared: boolean }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ isCompared }, { name, expected }) =>
      `The key is published directly at ${name}, which works until the provider changes it at ${expected}.${
        isCompared ? '' : ' Whether it still is the same could not be asked.'
      }`,
    todo: () => 'Replace the TXT record with the CNAME.',
  }),
  DKIM_COPY_OUTDATED: defineEntry({
    result: broken,
    turn: 'owner',
    describe: (_, { name, expected }) =>
      `The key at ${name} is not the one at ${expected}: either it was copied and the provider has changed it since then, or it belongs to another service or mail server that signs with it. Receivers cannot verify signatures of the provider.`,
    todo: () =>
      'If nothing else signs with that key, replace the TXT record with the CNAME. Otherwise leave it, and ask the provider for another selector.',
  }),
  DKIM_COPY_WITHDRAWN: defineEntry<{ isGone: boolean }>({
    result: broken,
    turn: 'provider',
    describe: ({ isGone }, { name, expected }) =>
      `The key was copied to ${name}, and ${
        isGone ? `the provider has no key at ${expected} any more` : `the provider has withdrawn it at ${expected}`
      }. Ask the provider for a key that counts. When it is there, replace the TXT record with the CNAME.`,
  }),
};
