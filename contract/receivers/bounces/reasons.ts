import type { Purpose } from '#contract/receivers/purpose.ts';

/** What to look at in the DNS. `ptr`: the reverse DNS of the sending address. */
export type Blame = Exclude<Purpose, 'other'> | 'ptr';

/** `because`: ends "Gmail refused the message because …". `todo`: for the person who can change the DNS, or the sending. */
type Reason = { because: string; todo: string; blames?: readonly Blame[] };

const ASK_OPERATOR =
  'Nothing in the DNS of the domain changes this. Ask the operator of the sending server, usually the mail provider';

/** Why a message wasn't accepted. */
export const REASONS = {
  unauthenticated: {
    because: "neither SPF nor DKIM passed, so it can't tell who sent it",
    todo: 'Check the SPF record at the MAIL FROM name and the DKIM records: at least one must work. Large receivers require both of bulk senders.',
    blames: ['spf', 'dkim'],
  },
  authentication: {
    because: "it couldn't verify the sender",
    todo: "Check SPF, DKIM and alignment. The text doesn't say which of them failed.",
    blames: ['spf', 'dkim', 'alignment'],
  },
  bulk_authentication: {
    because: "the sending domain doesn't meet its requirements for authentication",
    todo: 'Check SPF, DKIM, the DMARC record and alignment. All must be right.',
    blames: ['spf', 'dkim', 'dmarc', 'alignment'],
  },
  spf_failed: {
    because: "SPF didn't pass: the sending server isn't allowed for the MAIL FROM domain",
    todo: 'Check the SPF record at the MAIL FROM name. It must allow the servers of the mail provider.',
    blames: ['spf'],
  },
  spf_denied: {
    because: 'the SPF record of the MAIL FROM domain denies the sending server',
    todo: `The SPF record at the MAIL FROM name ends with "-all" and doesn't allow the server. Add the mail provider's include, unless the message was forwarded or forged.`,
    blames: ['spf'],
  },
  spf_suspicious: {
    because: 'it finds the SPF record of the sending domain suspicious',
    todo: 'Check the SPF record at the MAIL FROM name for terms that allow far too many addresses, such as "+all", "ptr" or large networks.',
    blames: ['spf'],
  },
  dkim_failed: {
    because: "DKIM didn't pass: the signature is missing, or can't be verified",
    todo: "Check the DKIM records against what the mail provider lists. If they're right, ask the provider whether it signs with them.",
    blames: ['dkim'],
  },
  dmarc_missing: {
    because: 'the sending domain has no DMARC record, or one without a policy',
    todo: 'Publish one DMARC record with a policy, at least "v=DMARC1; p=none".',
    blames: ['dmarc'],
  },
  dmarc_policy: {
    because: "it failed DMARC, and the domain's own policy asks to refuse such mail",
    todo: 'Neither SPF nor DKIM passed for the From domain. Make DKIM pass with the From domain, or use a weaker policy until it does.',
    blames: ['dkim', 'spf', 'alignment'],
  },
  dmarc_dns: {
    because: "the DNS didn't respond when it checked DMARC",
    todo: 'Check that all name servers of the domain respond. The message is sent again by itself.',
    blames: ['dkim', 'spf', 'dmarc'],
  },
  not_aligned: {
    because: 'From is another domain than those for which SPF or DKIM passed',
    todo: 'Have the mail provider sign with the From domain, or use a MAIL FROM name below it.',
    blames: ['alignment'],
  },
  ipv6: {
    because: 'it was sent over IPv6 without what it requires there: reverse DNS, and SPF or DKIM',
    todo: 'Check SPF and DKIM. The operator of the sending server is responsible for its reverse DNS.',
    blames: ['ptr', 'spf', 'dkim'],
  },
  domain_soa: {
    because: "it can't find the sending domain in the DNS",
    todo: 'The From and MAIL FROM domains each need an SOA record: check that the zone exists and that its name servers respond.',
    blames: ['soa'],
  },
  domain_not_found: {
    because: "it can't find the domain of the MAIL FROM address in the DNS",
    todo: 'Check that the MAIL FROM name has an MX or address record.',
    blames: ['mail_from'],
  },
  from_host_missing: {
    because: 'nobody could reply: the sending domain has neither an MX nor an address record',
    todo: 'Publish an MX record for the From domain.',
    blames: ['from_host'],
  },
  sender_null_mx: {
    because: 'the sending domain declares that it accepts no mail (null MX)',
    todo: 'Replace the null MX ("0 .") at the MAIL FROM name with the MX of the mail provider. The From domain must not have one either.',
    blames: ['mail_from', 'from_host'],
  },
  ptr: {
    because: 'the address of the sending server has no valid reverse DNS',
    todo: 'The operator of the sending server, usually the mail provider, must publish a PTR record whose name leads back to the address.',
    blames: ['ptr'],
  },
  tls: { because: "the connection wasn't encrypted", todo: `${ASK_OPERATOR}, to send over TLS.` },
  helo: {
    because: 'the sending server introduced itself with an invalid name',
    todo: `${ASK_OPERATOR}, for a valid HELO name.`,
  },
  rate: {
    because: 'it got too much mail at once',
    todo: 'Send more slowly, and less of what recipients report as spam. Nothing in the DNS changes this.',
  },
  complaints: {
    because: 'its users complained about mail from this server',
    todo: "Remove recipients who don't want the mail. Nothing in the DNS changes this.",
  },
  ip_reputation: {
    because: 'the address of the sending server has a bad reputation',
    todo: `${ASK_OPERATOR}, for another address.`,
  },
  domain_reputation: {
    because: 'the sending domain has a bad reputation',
    todo: 'Send only to recipients who asked for it, and less until the reputation recovers. Nothing in the DNS changes this.',
  },
  ip_listed: {
    because: 'the address of the sending server is on a block list',
    todo: `${ASK_OPERATOR}, to get it removed.`,
  },
  ip_blocked: {
    because: 'it blocks the address or network of the sending server',
    todo: `${ASK_OPERATOR}, to get it unblocked.`,
  },
  domain_listed: {
    because: 'a domain of the sender, or one in the message, is on a block list',
    todo: 'Look the domains up at the block list in the text, and follow its steps for removal.',
  },
  dynamic_ip: {
    because: "the sending server's address is one of consumers, not of mail servers",
    todo: `${ASK_OPERATOR}.`,
  },
  open_relay: { because: 'the sending server seems to relay mail for anybody', todo: `${ASK_OPERATOR}.` },
  address_probing: {
    because: 'the sending server tries out addresses',
    todo: "Don't verify addresses by connecting to the receiver. Nothing in the DNS changes this.",
  },
  content: {
    because: 'it takes the content for spam or dangerous',
    todo: 'Check links and attachments. Nothing in the DNS changes this.',
  },
  malformed: {
    because: "its header fields aren't as the standards require",
    todo: 'Check that From, Date and Message-ID are there once and valid. Nothing in the DNS changes this.',
  },
  spoofing: {
    because: "the message seems to come from the recipient's own organization",
    todo: "Only the recipient's administrator can allow it. SPF, DKIM and DMARC of the domain don't change this.",
  },
  recipient_policy: {
    because: "the recipient's administrator has a rule against it",
    todo: "Only the recipient's administrator can allow it. Nothing in the DNS changes this.",
  },
  sender_blocked: {
    because: 'it has banned this sender',
    todo: 'Follow the link in the text to ask for removal. Nothing in the DNS changes this.',
  },
  sender_refused: {
    because: "it couldn't verify that the sender's address exists",
    todo: 'Check that the MAIL FROM address accepts mail.',
    blames: ['mail_from'],
  },
  local_policy: {
    because: "of a policy that it doesn't explain",
    todo: "Check that SPF, DKIM and DMARC are right, then send the text to the receiver's postmaster.",
  },
  no_mailbox: { because: "the address doesn't exist", todo: 'Remove the address. Nothing in the DNS changes this.' },
  recipient_null_mx: {
    because: "the recipient's domain accepts no mail (null MX)",
    todo: 'Remove the address. Nothing in the DNS of the sending domain changes this.',
  },
  mailbox_disabled: {
    because: 'the mailbox is disabled',
    todo: 'Remove the address. Nothing in the DNS changes this.',
  },
  mailbox_full: { because: 'the mailbox is full', todo: 'Try again later. Nothing in the DNS changes this.' },
  mailbox_rate: {
    because: 'the mailbox gets too much mail at once',
    todo: 'Try again later. Nothing in the DNS changes this.',
  },
  too_large: { because: 'the message is too large', todo: 'Send a smaller one. Nothing in the DNS changes this.' },
  relay_denied: {
    because: "the server isn't responsible for the recipient",
    todo: "The recipient's domain may point to the wrong server, or the sending server needs to sign in.",
  },
  login: {
    because: "the sending server didn't sign in correctly",
    todo: 'Check the credentials of the sending server.',
  },
  greylisted: {
    because: 'it asks unknown senders to try again',
    todo: 'Nothing to do: the message is sent again by itself.',
  },
  busy: { because: 'the server is busy', todo: 'Nothing to do: the message is sent again by itself.' },
} as const satisfies Readonly<Record<string, Reason>>;

export type ReasonId = keyof typeof REASONS;
