import { describeAdding, describeChanging } from './placement.ts';
import { fail, warn, ok, formatList } from './catalogueEntry.ts';

const describeAsking = (isExpected: boolean) =>
  isExpected
    ? "There's nothing to change in this zone: ask the provider."
    : 'Ask the operator of that server, or use another one.';

export const mx = {
  MX_PRIORITY: warn<{ expected: number; found: number }>({
    describe: ({ expected, found }) => `Mail works, but the priority is ${found} instead of ${expected}.`,
    todo: ({ expected }) => `Set the priority to ${expected}.`,
  }),
  EXTRA_MX: fail<{ others: readonly string[] }>({
    describe: ({ others }, { name }) =>
      `${name} has other MX records too (${others.join(', ')}), but the provider accepts exactly one.`,
    todo: ({ others }) => {
      const nulls = others.filter((one) => one.endsWith(' .'));
      const hosts = others.filter((one) => !nulls.includes(one));
      return [
        'Keep only the expected one.',
        ...(nulls.length === 0 ? [] : [`The null MX (${nulls.join(', ')}) declares that the name accepts no mail.`]),
        ...(hosts.length === 0
          ? []
          : [`If ${hosts.join(', ')} is still needed for mail to this name, choose another MAIL FROM name.`]),
      ].join(' ');
    },
    needsDecision: ({ others }) => others.some((one) => !one.endsWith(' .')),
  }),
  MAIL_FROM_MX_TWICE: fail<{ host: string; priorities: readonly number[] }>({
    describe: ({ host, priorities }, { name }) =>
      `${name} names ${host} ${priorities.length} times as its MX, with the priorities ${priorities.join(', ')}, but the provider accepts exactly one record.`,
    todo: ({ host }) => `Keep one record for ${host}, and delete the others.`,
  }),
  MX_TWICE: warn<{ host: string; priorities: readonly number[] }>({
    describe: ({ host, priorities }, { name }) =>
      `${name} names ${host} ${priorities.length} times as its MX, with the priorities ${priorities.join(', ')}. Some providers accept exactly one record.`,
    todo: ({ host }) => `Keep one record for ${host}, and delete the others.`,
  }),
  MX_TOO_MANY: warn<{ count: number }>({
    describe: ({ count }, { name }) =>
      `${name} has ${count} MX records. Senders try only the first few, and an SPF record with "mx" breaks with more than 10 (RFC 7208, section 4.6.4).`,
  }),
  MX_TARGET_WITHOUT_ADDRESS: fail<{ host: string; isExpected: boolean }>({
    turn: 'provider',
    describe: ({ host, isExpected }) =>
      `The MX points to ${host}, which has no address, so no mail arrives there. ${describeAsking(isExpected)}`,
  }),
  MX_TARGET_PRIVATE: fail<{ host: string; isExpected: boolean; addresses: readonly string[] }>({
    turn: 'provider',
    describe: ({ host, isExpected, addresses }) =>
      `The MX points to ${host}, which has only private addresses (${formatList(addresses)}), so no mail arrives there. ${describeAsking(isExpected)}`,
  }),
  MX_TARGET_IS_ALIAS: warn<{ host: string; target: string }>({
    turn: 'provider',
    describe: ({ host, target }) =>
      `The MX points to ${host}, which is an alias of ${target}. Mail usually works, but an MX must not point to an alias (RFC 2181, section 10.3): tell the provider.`,
  }),
  MX_AT_DOMAIN_ALONE: warn({
    turn: 'provider',
    describe: (_, { name, found }) =>
      `The MX is as listed, but ${name} is the domain itself: all mail to it goes to ${found.join(', ')}. If it has mailboxes, ask the provider for a MAIL FROM name below ${name}.`,
  }),
  MX_ONE_MISSING: fail({
    describe: (_, { name, found, expected }) =>
      `${name} has ${found.join(', ')}, which is also listed, but not ${expected}.`,
    todo: (_, about) => `${describeAdding(about)} Keep the other one.`,
  }),
  PRIORITY_IN_HOST: fail({
    describe: () => 'The priority was entered in the server field.',
    todo: (_, { expected }) =>
      `Enter the priority in its own field, and only ${expected.replace(/^\d+ /, '')} as the server.`,
  }),
  MX_IS_ADDRESS: fail<{ address: string }>({
    describe: ({ address }) => `The MX points to the address ${address}, but must point to a host name.`,
    todo: describeChanging,
  }),
  NULL_MX: fail({
    describe: (_, { name }) =>
      `${name} declares that it accepts no mail (null MX): bounces are lost, and receivers such as Yahoo may refuse your mail with 550 5.7.27 (RFC 7505, section 4.2).`,
    todo: () => "Replace it with the provider's MX.",
  }),
  MX_AT_DOMAIN: fail<{ foundAt: string; others: readonly string[] }>({
    describe: ({ foundAt, others }, { name }) =>
      `The MX was created at ${foundAt}, where it diverts the domain's mail${
        others.length > 0 ? ` from ${others.join(', ')}` : ''
      }; it belongs to ${name}.`,
    todo: ({ foundAt }, about) => `${describeAdding(about)} Then delete the one at ${foundAt}.`,
  }),

  MX_WOULD_TAKE_MAIL: fail<{ others: readonly string[] }>({
    turn: 'provider',
    describe: ({ others }, { name }) =>
      `The listed MX belongs at ${name} itself: it would divert the incoming mail of its mailboxes${
        others.length > 0 ? ` from ${others.join(', ')}` : ', if there are any'
      }. Leave the MX records as they are, and ask the provider for a MAIL FROM name below ${name}.`,
  }),

  /** `at`: the name whose MX it is. */
  MX_NAMES_HOST: fail<{ at: string }>({
    turn: 'provider',
    describe: ({ at }, { name, type }) =>
      `The MX of ${at} names ${name}, so mail to ${at} goes to this host. The listed ${type} record would redirect it. Leave the current records as they are, and ask the provider for another name.`,
  }),

  MX_PUBLISHED: ok({
    describe: (_, { name, found }) => `Bounces to ${name} go to ${found.join(', ')}.`,
  }),
  MX_MISSING: warn({
    describe: (_, { name }) =>
      `The MAIL FROM name ${name} has no MX record, so the provider may not use it, and bounces are lost. Ask the provider which MX it needs.`,
  }),
  SEVERAL_MX: warn({
    describe: (_, { name, found }) =>
      `The MAIL FROM name ${name} has several MX records (${found.join(', ')}), but most providers accept exactly one. Keep the provider's.`,
  }),
};
