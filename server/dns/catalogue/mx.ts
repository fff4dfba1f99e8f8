import { add, change } from './placement.ts';
import { entry } from './entry.ts';

export const mx = {
  MX_PRIORITY: entry<{ expected: number; found: number }>({
    result: 'warn',
    turn: 'owner',
    says: ({ expected, found }) => `Mail works, but the priority is ${found} instead of ${expected}.`,
    todo: ({ expected }) => `Set the priority to ${expected}.`,
  }),
  EXTRA_MX: entry<{ others: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    says: ({ others }, { name }) =>
      `${name} has other MX records too (${others.join(', ')}), and the provider accepts exactly one.`,
    todo: ({ others }) =>
      `Keep only the expected one. If ${others.join(', ')} is still needed for mail to this name, choose another MAIL FROM name.`,
  }),
  MX_TWICE: entry<{ host: string; priorities: readonly number[] }>({
    result: 'warn',
    turn: 'owner',
    says: ({ host, priorities }, { name }) =>
      `${name} names ${host} ${priorities.length} times as its MX, with the priorities ${priorities.join(', ')}. Some providers accept exactly one record.`,
    todo: ({ host }) => `Keep one record for ${host}, and delete the others.`,
  }),
  MX_TOO_MANY: entry<{ count: number }>({
    result: 'warn',
    turn: 'owner',
    says: ({ count }, { name }) =>
      `${name} has ${count} MX records. Senders try the first few, and SPF that says "mx" breaks with more than 10 (RFC 7208, section 4.6.4).`,
  }),
  MX_TARGET_WITHOUT_ADDRESS: entry<{ host: string; isExpected: boolean }>({
    result: { record: 'fail', advice: 'warn' },
    turn: 'provider',
    says: ({ host, isExpected }) =>
      `The MX names ${host}, which has no address, so that no mail arrives there. ${
        isExpected
          ? 'There is nothing to change in this zone: ask the provider.'
          : 'Ask whoever runs that server, or name another one.'
      }`,
  }),
  MX_TARGET_IS_ALIAS: entry<{ host: string; target: string }>({
    result: 'warn',
    turn: 'provider',
    says: ({ host, target }) =>
      `The MX names ${host}, which is an alias of ${target}. Mail mostly works, but an MX must not name an alias (RFC 2181, section 10.3): tell the provider.`,
  }),
  MX_AT_DOMAIN_ALONE: entry({
    result: 'warn',
    turn: 'provider',
    says: (_, { name, found }) =>
      `The MX is as listed, but ${name} is the domain itself: all mail to it goes to ${found.join(', ')}. If it has mailboxes, ask the provider for a MAIL FROM name below ${name}.`,
  }),
  MX_ONE_MISSING: entry({
    result: 'fail',
    turn: 'owner',
    says: (_, { name, found, expected }) =>
      `${name} has ${found.join(', ')}, which is listed too, but not ${expected}.`,
    todo: (_, about) => `${add(about)} The other one stays.`,
  }),
  PRIORITY_IN_HOST: entry({
    result: 'fail',
    turn: 'owner',
    says: () => 'The priority was typed into the field of the server.',
    todo: (_, { expected }) =>
      `Enter the priority in its own field, and only ${expected.replace(/^\d+ /, '')} as the server.`,
  }),
  MX_IS_ADDRESS: entry<{ address: string }>({
    result: 'fail',
    turn: 'owner',
    says: ({ address }) => `The MX names the address ${address}, but it must name a host.`,
    todo: change,
  }),
  NULL_MX: entry({
    result: { record: 'fail', advice: 'warn' },
    turn: 'owner',
    says: (_, { name }) => `${name} declares that it accepts no mail, so that bounces get lost.`,
    todo: () => 'Put the MX of the provider in its place.',
  }),
  MX_AT_DOMAIN: entry<{ foundAt: string; others: readonly string[] }>({
    result: 'fail',
    turn: 'owner',
    says: ({ foundAt, others }, { name }) =>
      `The MX was created at ${foundAt}, where it takes mail to the domain away${
        others.length > 0 ? ` from ${others.join(', ')}` : ''
      }; it belongs to ${name}.`,
    todo: ({ foundAt }, about) => `${add(about)} Then delete the one at ${foundAt}.`,
  }),

  MX_WOULD_TAKE_MAIL: entry<{ others: readonly string[] }>({
    result: 'fail',
    turn: 'provider',
    says: ({ others }, { name }) =>
      `The listed MX belongs at ${name} itself: it would take the incoming mail of its mailboxes away${
        others.length > 0 ? ` from ${others.join(', ')}` : ', if there are any'
      }. Leave the MX records as they are, and ask the provider for a MAIL FROM name below ${name}.`,
  }),

  MX_PUBLISHED: entry({
    result: 'ok',
    turn: null,
    says: (_, { name, found }) => `Mail that comes back to ${name} goes to ${found.join(', ')}.`,
  }),
  MX_MISSING: entry({
    result: 'warn',
    turn: 'owner',
    says: (_, { name }) =>
      `The MAIL FROM name ${name} has no MX record, so that the provider may not use it and bounces get lost. The provider says which MX it needs.`,
  }),
  SEVERAL_MX: entry({
    result: 'warn',
    turn: 'owner',
    says: (_, { name, found }) =>
      `The MAIL FROM name ${name} has several MX records (${found.join(', ')}), and most providers accept exactly one. Keep the one of the provider.`,
  }),
};
