import { must } from '#contract/values/must.ts';
import { paths } from '../../url/paths.ts';

export type Guide = { path: string; title: string; text: readonly string[]; document?: string };

/** By the path of a page; pages below it have the same. */
const GUIDES: readonly Guide[] = [
  {
    path: paths.overview,
    title: 'Overview',
    text: [
      'The top says what needs somebody: domains to fix, a list that isn’t finished, more people than usual unsubscribed for spam complaints.',
      'Today’s figures come with what is usual: the median of the last four days with the same name, up to the same time of day. Select a bar of the chart to see who unsubscribed contacts on that day.',
      'Figures count people on the day they were unsubscribed; a complaint from someone already unsubscribed isn’t counted.',
      'At the end is what changed since you were last here, with lists and programs in one line each.',
    ],
  },
  {
    path: paths.contacts,
    title: 'Contacts',
    text: [
      'Paste whatever a ticket has into the search field: an email, “Name <address>”, a phone number, a customer number or an ID. Enter opens the contact.',
      'On a contact, Unsubscribe asks for a reason and a ticket, and Undo takes it back. Copy for ticket says since when, by whom and in which request.',
      'Edit shows what will change before it’s sent. Export and erasure of a person are on their page.',
      'A ticket system can link to /contacts/jane%40example.com, with any identity.',
    ],
  },
  {
    path: paths.importContacts,
    title: 'Import contacts',
    text: [
      'Drop an export of contacts or suppressions. Its columns say which provider it’s from; you see what each column becomes before anything is written.',
      'Check asks the service about each line: who is new, who changes, who gets unsubscribed, and which lines can’t be imported.',
      'An import never subscribes anyone. If it stops, choose the same file again to continue. Undo it under Bulk runs.',
    ],
  },
  {
    path: paths.suppressions,
    title: 'Unsubscribed contacts',
    text: [
      'Everyone who gets no mail, with the reason, where it came from, who did it and when. Each filter shows how many it leaves.',
      'From and To filter by the day of the unsubscribe, even if the reason was recorded later, such as a complaint after a request.',
      'Not recorded means that nobody gave a reason.',
    ],
  },
  {
    path: paths.bulk,
    title: 'Bulk unsubscribe',
    text: [
      'Paste a column, a table, a To: line or a mail, or drop a file. Nothing is sent until you confirm the names.',
      'Only what is certain begins selected. Signatures, senders and ambiguous lines are shown, and left to you.',
      'Save the receipt: it says for each line what happened. Undo subscribes again only those that this list unsubscribed.',
    ],
  },
  {
    path: paths.runs,
    title: 'Bulk runs',
    text: [
      'Each bulk unsubscribe is kept for 30 days. Anyone with the role can continue it or undo it, in any browser.',
      'Counts come from the audit log: a closed browser or two people on one run don’t change them.',
      'An admin can require that a second person approves runs above a number of contacts. Both need an account.',
    ],
  },
  {
    path: paths.domains,
    title: 'Domains',
    text: [
      'One line per domain, the worst first, with the cause in words. Check asks the DNS now; c checks everything shown, and j and k move between findings.',
      'On a domain, each record has what’s expected, what’s published, and what to enter. Watch repeats the check until it’s right.',
      'Send to the DNS person makes a link that needs no sign-in. Accept this fault keeps a known one quiet until a date.',
    ],
    document: 'docs/dns-check.md',
  },
  {
    path: paths.addresses,
    title: 'Addresses',
    text: ['The sender addresses of all domains. Search for a name or a domain, and filter by what the provider says.'],
  },
  {
    path: paths.activity,
    title: 'Audit log',
    text: [
      'Who did what, newest first. Filter by person or program, action and day, or search for a contact, list or request ID.',
      'Entries are never changed, and each contains the hash of the one before. Erasing a person removes their values, not the entry.',
    ],
    document: 'docs/admin.md',
  },
  {
    path: paths.people,
    title: 'Team',
    text: [
      'Invite a member by email and choose a role. They sign in with the organisation’s account; Sendroom sends no invitation, so give them the link.',
      'A change of role takes effect on their next request.',
    ],
    document: 'docs/admin.md',
  },
  {
    path: paths.tokens,
    title: 'Tokens',
    text: [
      'A token gives a program access to this workspace, with a role and an end. It’s shown once: the service stores only its hash.',
      'Revoking takes effect immediately, also for sessions that were opened with the token.',
    ],
    document: 'docs/admin.md',
  },
  {
    path: paths.sessions,
    title: 'Sessions',
    text: ['Where you are signed in; an admin sees everyone’s sessions. End one that you don’t know.'],
  },
  {
    path: paths.notifications,
    title: 'Notifications',
    text: [
      'A destination is a webhook or a mailbox, with rules for what it gets: domains that break, changes of contacts, summaries.',
      'A broken domain is reported once two checks have found it, in one message per cause, and again when it’s over. Send a test message first.',
    ],
    document: 'docs/operations.md',
  },
];

/** The guide of the page at `pathname`, and the others. */
export function findGuide(pathname: string): { guide: Guide; others: readonly Guide[] } {
  const isOf = ({ path }: Guide) => pathname === path || pathname.startsWith(`${path}/`);
  const guide = must(GUIDES.find(isOf) ?? GUIDES[0]);
  return { guide, others: GUIDES.filter((other) => other !== guide) };
}
