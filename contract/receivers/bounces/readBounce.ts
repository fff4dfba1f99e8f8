import { type Rule, RULES } from '#contract/receivers/rules.ts';
import type { Chapter } from './chapter.ts';
import { CORPUS } from './corpus.ts';
import { MAIL_SYSTEMS, type MailSystemId, systemOfDomain, systemOfHost, systemOfText } from './mailSystems.ts';
import { type Blame, type ReasonId, REASONS } from './reasons.ts';
import { findReplies, type Reply } from './replies.ts';

export type Bounce = {
  /** The reply in one line, as pasted; at most 500 characters. */
  text: string;
  /** The reply code, such as 550; null if the text has none. */
  code: string | null;
  /** The enhanced status code, such as 5.7.26; null if the text has none. */
  enhanced: string | null;
  /** Null: the codes contradict each other. */
  isPermanent: boolean | null;
  /** Who answered; null if the text doesn't say. */
  system: { id: MailSystemId; name: string } | null;
  /** Why; null if the text doesn't say, or not in a way that's known. */
  reason: ReasonId | null;
  /** Where the meaning of the reply is documented; null without a reason. */
  source: { url: string; asOf: string | null } | null;
  /** The receiver's rules behind it, any of which may not be met; empty if it's a matter of something else. */
  rules: readonly Rule[];
  /** What to look at in the DNS, any of which may be wrong; empty if nothing there matters, or nobody can say. */
  blames: readonly Blame[];
  /** For a customer, and for the person who can change the DNS. */
  sentences: { customer: string; dns: string };
};

const BOUNCES_MAX = 1000;
const SHOWN_MAX = 500;

/** Reads the bounces in a text, each once. `isWhole`: false if it has more than 1,000 replies, of which the rest is left out. */
export function readBounce(pasted: string): { bounces: Bounce[]; isWhole: boolean } {
  const { replies, isWhole } = findReplies(pasted, BOUNCES_MAX);
  const bounces: Told[] = [];
  let previous: ReasonId | null = null;
  for (const reply of replies) {
    const bounce = toBounce(reply);
    const isQuoted: boolean = reply.isInline && previous !== null;
    previous = bounce.reason ?? (isQuoted ? previous : null);
    if (bounce.reason !== null || (!isQuoted && (reply.isCertain || bounce.system !== null))) addOnce(bounces, bounce);
  }
  const isTold = ({ bounce }: Told) => bounce.code !== null || bounce.reason !== null;
  // The status alone, of a report whose reply is there too, says nothing more.
  const told = bounces.some(isTold) ? bounces.filter((one) => isTold(one) || !saysNothingMore(one, bounces)) : bounces;
  return { bounces: told.map(({ bounce }) => bounce), isWhole };
}

type Told = { bounce: Bounce; letters: string };

/** The readable part of a report and the report itself have the same reply, sometimes cut. */
function addOnce(bounces: Told[], bounce: Bounce): void {
  const letters = bounce.text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const isSame = ({ bounce: other, letters: others }: Told) => {
    if (other.code !== bounce.code || other.enhanced !== bounce.enhanced) return false;
    const isSameReason =
      bounce.reason !== null && bounce.reason === other.reason && bounce.system?.id === other.system?.id;
    return isSameReason || others.startsWith(letters) || letters.startsWith(others);
  };
  const index = bounces.findIndex(isSame);
  const isKnown = bounces.some((one) => isSame(one) && knowledgeOf(one.bounce) >= knowledgeOf(bounce));
  if (index === -1) bounces.push({ bounce, letters });
  else if (!isKnown) bounces[index] = { bounce, letters };
}

const knowledgeOf = ({ reason, system }: Bounce) => 2 * Number(reason !== null) + Number(system !== null);

function saysNothingMore({ bounce: { enhanced } }: Told, bounces: readonly Told[]): boolean {
  return (
    /^[45]\.0\.0$/.test(enhanced ?? '') ||
    bounces.some(({ bounce }) => bounce.code !== null && bounce.enhanced === enhanced)
  );
}

function toBounce(reply: Reply): Bounce {
  const { text, code, enhanced } = reply;
  const id = findSystem(reply);
  const system = id === null ? null : { id, name: MAIL_SYSTEMS[id].name };
  const found = findReason(reply, id);
  const isPermanent =
    code !== null && enhanced !== null && code[0] !== enhanced[0] ? null : (code ?? enhanced)?.[0] === '5';
  const verb = isPermanent === null ? "didn't accept" : isPermanent ? 'refused' : 'delayed';
  const subject = `${system?.name ?? 'The receiving server'} ${verb} the message`;
  const base = { text: text.slice(0, SHOWN_MAX), code, enhanced, isPermanent, system };
  if (found === null) {
    const sentences = { customer: `${subject} for a reason that we don't know.`, dns: describeUnknown(enhanced) };
    return { ...base, reason: null, source: null, rules: [], blames: [], sentences };
  }
  const { reason, chapter } = found;
  const { because, todo, blames = [] }: { because: string; todo: string; blames?: readonly Blame[] } = REASONS[reason];
  const receiver = id === null ? null : MAIL_SYSTEMS[id].receiver;
  const ids = new Set((RULES_BEHIND[reason] ?? []).map((one) => `${receiver}.${one}`));
  return {
    ...base,
    reason,
    source: { url: chapter.source, asOf: chapter.asOf },
    rules: RULES.filter((rule) => ids.has(rule.id)),
    blames,
    sentences: { customer: `${subject} because ${because}.`, dns: todo },
  };
}

const RULES_BEHIND: Readonly<Partial<Record<ReasonId, readonly string[]>>> = {
  unauthenticated: ['authentication'],
  authentication: ['authentication'],
  bulk_authentication: ['spf', 'dkim', 'dmarc', 'alignment'],
  spf_failed: ['spf'],
  spf_denied: ['spf'],
  dkim_failed: ['dkim', 'dkim_alignment'],
  dmarc_missing: ['dmarc'],
  not_aligned: ['alignment', 'dkim_alignment'],
  domain_soa: ['soa'],
  from_host_missing: ['from_host'],
  sender_null_mx: ['null_mx'],
  ptr: ['ptr'],
  tls: ['tls'],
  malformed: ['format'],
};

/** The subjects of RFC 3463, section 3. */
const SUBJECTS: Readonly<Record<string, string>> = {
  0: 'nothing in particular',
  1: 'addresses',
  2: "the recipient's mailbox",
  3: 'the receiving mail system',
  4: 'the network and routing',
  5: 'the protocol between the servers',
  6: 'the content',
  7: 'security and policy',
};

function describeUnknown(enhanced: string | null): string {
  const subject = SUBJECTS[enhanced?.split('.')[1] ?? ''];
  const known =
    enhanced === null || subject === undefined
      ? "The text doesn't say why"
      : `Code ${enhanced} is about ${subject}, and has many causes`;
  return `${known}, so no record can be blamed. Send the whole text to the receiver's postmaster.`;
}

const SERVER = /(?:\bhost|\brelay=|\bh=|\bremote-mta: {0,3}dns;) ?([\w-]{1,63}\.[\w.-]{1,253})/gi;
const RECIPIENT = /(?:\bfinal-recipient: {0,3}rfc822; {0,3}|\bto=)<?[^\s@<>]{1,64}@([\w.-]{1,253})/gi;

/** Who answered: the server that the text names before the reply, or else what only one system writes. */
function findSystem({ before, own, compact, reporter }: Reply): MailSystemId | null {
  const server = lastOf(SERVER, before) ?? lastOf(SERVER, own);
  const known = server === null ? null : systemOfHost(server);
  const found = known ?? systemOfText(compact) ?? systemAmong(own);
  if (found !== null || server !== null) return found;
  const recipient = lastOf(RECIPIENT, before) ?? lastOf(RECIPIENT, own);
  return (recipient === null ? null : systemOfDomain(recipient)) ?? systemAmong(before) ?? systemOfHost(reporter);
}

function lastOf(pattern: RegExp, text: string): string | null {
  return [...text.matchAll(pattern)].at(-1)?.[1] ?? null;
}

/** By the last name of a known mail server in a text, not in an address or a link. */
function systemAmong(text: string): MailSystemId | null {
  const names = text.split(/[\s()[\]<>;,:"'=]+/).filter((one) => !/[@/]/.test(one));
  return names.map(systemOfHost).findLast((one) => one !== null) ?? null;
}

const ABOUT_RECIPIENT: ReadonlySet<ReasonId> = new Set([
  'no_mailbox',
  'recipient_null_mx',
  'mailbox_disabled',
  'mailbox_full',
  'mailbox_rate',
]);

/** By the first row that fits: of the system itself, or else of anybody. */
function findReason(
  { compact, code, enhanced }: Reply,
  system: MailSystemId | null,
): { reason: ReasonId; chapter: Chapter } | null {
  const isAboutSender = compact.includes('inreplytomailfrom');
  const fitting = ROWS.filter(
    ({ codes, token, reason }) =>
      codes.every((one) => one === code || one === enhanced) &&
      compact.includes(token) &&
      !(isAboutSender && ABOUT_RECIPIENT.has(reason)),
  );
  const isOwn = ({ chapter }: (typeof ROWS)[number]) => system !== null && chapter.systems.includes(system);
  return fitting.find(isOwn) ?? fitting.find(({ chapter }) => chapter.systems.length === 0) ?? null;
}

const ROWS = CORPUS.flatMap((chapter) =>
  chapter.rows.map(([code, token, reason]) => ({
    chapter,
    codes: code.split(' ').filter(Boolean),
    token: token.replaceAll(' ', ''),
    reason,
  })),
);
