import { must } from '#contract/values/must.ts';

/** Domains of well-known mailbox providers. */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  aol: ['aol.com'],
  fastmail: ['fastmail.com', 'fastmail.fm'],
  gmail: ['gmail.com', 'googlemail.com'],
  gmx: ['gmx.at', 'gmx.ch', 'gmx.com', 'gmx.de', 'gmx.net'],
  icloud: ['icloud.com', 'mac.com', 'me.com'],
  'mail.ru': ['bk.ru', 'inbox.ru', 'list.ru', 'mail.ru'],
  naver: ['naver.com'],
  netease: ['126.com', '163.com', 'yeah.net'],
  outlook: ['hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'live.com', 'msn.com', 'outlook.com'],
  proton: ['pm.me', 'proton.me', 'protonmail.com'],
  qq: ['foxmail.com', 'qq.com'],
  seznam: ['seznam.cz'],
  'web.de': ['web.de'],
  yahoo: ['yahoo.co.jp', 'yahoo.co.uk', 'yahoo.com', 'yahoo.de', 'yahoo.fr', 'ymail.com'],
  yandex: ['ya.ru', 'yandex.com', 'yandex.ru'],
};

const byDomain = new Map(Object.entries(DOMAINS).flatMap(([name, domains]) => domains.map((domain) => [domain, name])));

/** The provider of the mailbox `email`; empty when its domain is not a well-known one. */
export function mailboxProvider(email: unknown): string {
  if (typeof email !== 'string') return '';
  const domain = must(email.trim().toLowerCase().split('@').at(-1));
  return byDomain.get(domain) ?? '';
}
