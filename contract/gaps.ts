import type { Endpoint } from './endpoint.ts';
import { operations } from './interface.ts';
import { PAGE_MAX, PER_PAGE_MAX, SEARCH_MAX, SORTING_MAX } from './list.ts';

// What the interface leaves open, and what this service does. docs/gaps.md and the `x-not-shown` notes of the OpenAPI
// document are printed from this list.

export type Gap = {
  /** Section of the interface. */
  readonly section: string;
  /** Ids of the operations concerned; empty when it is the service as a whole. */
  readonly operations: readonly string[];
  /** True where the interface says "not shown", false where it says nothing. */
  readonly notShown: boolean;
  /** What is left open. */
  readonly silent: string;
  /** What this service does. */
  readonly choice: string;
};

const CONTACT_PATHS = ['updateContact', 'unsubscribeContact', 'listContactEvents'];
const LISTS = ['listContactEvents', 'listDomains', 'listDomainAddresses'];
const SEARCHED = ['listContactEvents', 'listDomains'];
const ALL = operations.map((operation) => operation.id);

export const gaps: readonly Gap[] = [
  {
    section: '2',
    operations: ['unsubscribeContact'],
    notShown: true,
    silent: 'What `provider` of a contact means.',
    choice:
      'Who operates the mailbox, told by the domain of the email (`gmail`), or empty text when that says nothing.',
  },
  {
    section: '2',
    operations: ['unsubscribeContact', 'listDomains', 'listDomainAddresses'],
    notShown: true,
    silent: 'All the words of `status`, `verification`, `provider` and the type of a DNS record.',
    choice:
      'Open words: a reader takes any of them. Our service writes `pending`, `completed` and `failed` for `verification`, and keeps what was imported.',
  },
  {
    section: '2',
    operations: CONTACT_PATHS,
    notShown: false,
    silent: 'What happens when two contacts would hold one identity value.',
    choice:
      'It cannot happen: within a workspace an identity belongs to one contact. An update that would break this is a 409.',
  },
  {
    section: '2',
    operations: ['updateContact'],
    notShown: false,
    silent: 'Whether a contact may get the identity of a person who was erased.',
    choice: 'No: 422, until an admin lifts the erasure.',
  },
  {
    section: '2',
    operations: ['updateContact'],
    notShown: false,
    silent: 'How phone numbers and the custom identity are matched.',
    choice:
      'Exactly, after surrounding whitespace is removed. Only an email ignores letter casing. If nothing matches exactly, an international phone number is found by its digits, however they are grouped here and there (`+49 30 9018-2233`, `0049 (0)30 90182233`), unless several contacts have them.',
  },
  {
    section: '2',
    operations: ['updateContact'],
    notShown: false,
    silent: 'Which numbers an attribute may hold.',
    choice: `Those that every reader of JSON finds again: from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, fractions as 64-bit floating point (IEEE 754) has them, and \`-0\` is \`0\`. Any other is a 422 that names the attribute, because it would come back with other digits and name somebody else; text keeps all of them.`,
  },
  {
    section: '2',
    operations: ['updateContact'],
    notShown: false,
    silent: 'How much a contact may hold.',
    choice:
      '200 attributes with names of up to 128 characters; a value up to 8 KiB and 20 levels deep, all of them together up to 64 KiB, as JSON in UTF-8. An update that would exceed this is a 422. A contact that is larger already stays readable, and may change as long as it does not grow.',
  },
  {
    section: '3',
    operations: ['unsubscribeContact'],
    notShown: true,
    silent: 'How a contact becomes subscribed again.',
    choice:
      'Not through these operations. An update never sets `subscribed` to true, nor does an import. Our addition `subscribeContact` does it, with a reason, which is recorded; `subscribeOwnContact`, for other clients, also without.',
  },
  {
    section: '3',
    operations: ['listDomains'],
    notShown: true,
    silent: 'How the states of a domain change.',
    choice:
      'By import, and by checks of the DNS: those that our addition `checkDomain` is asked for, and those of the service itself. A record is valid after one check that finds it right, and invalid after two failures at least 5 minutes apart; what is still spreading or could not be asked changes nothing. `verified` is true when all records are valid that are not of the MAIL FROM name, `mail_from_verified` when all of that name are, in each case at least one. A check makes one of them true, or `verification` and `status` `completed`, only by finding something right for it; a first failure keeps what is, and raises nothing. `verification` and `status` become `completed` when every record is valid, and `failed` when they were `completed` and one no longer is, or when no verdict has changed for 72 hours; other words than these and `pending` stay. `updated_at` moves only when something changed.',
  },
  {
    section: '3',
    operations: ['listDomainAddresses'],
    notShown: true,
    silent: 'How the verification of a sender address changes.',
    choice: 'By import only.',
  },
  {
    section: '4',
    operations: CONTACT_PATHS,
    notShown: false,
    silent: 'In which order `{contact}` is tried.',
    choice:
      'As a UUID when it has the form of one, then as an email (trimmed, letter casing ignored), then as a phone, then as the custom identity of the workspace.',
  },
  {
    section: '4',
    operations: CONTACT_PATHS,
    notShown: false,
    silent: 'A path parameter that no URL can carry.',
    choice: '`.`, `..`, an empty value, a NUL character and broken percent-encoding are a 400.',
  },
  {
    section: '4',
    operations: ['updateContact', 'unsubscribeContact'],
    notShown: false,
    silent: 'Whether it is recorded who changed a contact.',
    choice:
      'It is, in the same transaction: when, by which token or person, in which request (`x-request-id`), and what was before and after. Our addition `listContactChanges` reads it. A call that changes nothing records nothing.',
  },
  {
    section: '4.1',
    operations: ['updateContact'],
    notShown: true,
    silent: 'The status of success, and whether attributes are merged into or replace the existing ones.',
    choice:
      '200, and merged: a key that is given changes, a key given as null is removed, every other key stays. `updated_at` moves only when something changed.',
  },
  {
    section: '4.1',
    operations: ['updateContact'],
    notShown: false,
    silent: 'A body with other keys than `attributes`, or `attributes` that is not an object.',
    choice:
      '422 that names the field; nothing is changed. With additions, `subscribed` is known too: `false` unsubscribes by the rules of `unsubscribeContact`, `true` is a 422 for a contact that is unsubscribed, and `attributes` may be missing beside it.',
  },
  {
    section: '4.2',
    operations: ['unsubscribeContact'],
    notShown: false,
    silent: 'A workspace in the path that is not the workspace of the token.',
    choice: '403, the same whether that workspace exists or not.',
  },
  {
    section: '4.2',
    operations: ['unsubscribeContact'],
    notShown: false,
    silent: 'What a repeated unsubscribe changes.',
    choice: 'Nothing, `updated_at` included.',
  },
  {
    section: '4.3',
    operations: ['listContactEvents'],
    notShown: true,
    silent: 'The name of a page-number parameter for events.',
    choice: '`page`, from 1, as for domains.',
  },
  {
    section: '4.3',
    operations: ['listContactEvents'],
    notShown: true,
    silent: 'Sortable columns other than `created_at`.',
    choice: '`event_name`; within one name the newest event comes first.',
  },
  {
    section: '4.3',
    operations: ['listContactEvents'],
    notShown: false,
    silent: 'The direction of the default order by `created_at`.',
    choice: 'Newest first.',
  },
  {
    section: '4.3',
    operations: ['listContactEvents'],
    notShown: false,
    silent: 'Whether the events of exactly one name can be listed.',
    choice: 'With additions, `event_name` lists only those. Without, it is ignored.',
  },
  {
    section: '4.4',
    operations: ['listDomains'],
    notShown: true,
    silent: 'Sortable columns of the domains.',
    choice: 'Every column that holds one value, so all but `dns`. Letter casing is ignored.',
  },
  {
    section: '4.4',
    operations: ['listDomains'],
    notShown: false,
    silent: 'A filter of the domains.',
    choice:
      'With additions, `state` lists only those that are `healthy`, `pending` or `failing`; our addition `getDomainSummary` counts them. Without, it is ignored.',
  },
  {
    section: '4.2',
    operations: ['unsubscribeContact'],
    notShown: false,
    silent: 'Whether anything counts unsubscribes.',
    choice:
      'Our addition `getOverview` does, for each of the last 30 days of a time zone, by the token or person that made them, or as an import. One that is taken back later stays counted; a repeat is none.',
  },
  {
    section: '4.5',
    operations: ['listDomainAddresses'],
    notShown: true,
    silent: 'The order of the addresses.',
    choice: 'Newest first; there is no sorting.',
  },
  {
    section: '4',
    operations: LISTS,
    notShown: false,
    silent: 'The order of rows that are equal in every sorted column.',
    choice: 'By `uuid`, always, so that pages neither repeat nor lose a row.',
  },
  {
    section: '4',
    operations: SEARCHED,
    notShown: false,
    silent: 'How `search` matches.',
    choice: `By words, each of which is a part of the name, in any order; what stands in double quotes is one word. Letter casing is ignored, and for event names accents (\`ø\` is \`o\`, \`ß\` is \`ss\`); a domain with an accent is another domain, whose whole labels are found in both ways to write them (\`münchen\`, \`xn--mnchen-3ya\`). \`%\`, \`_\` and \`\\\` are ordinary characters. A search without a word is none. Longer than ${SEARCH_MAX} characters is a 422.`,
  },
  {
    section: '4',
    operations: SEARCHED,
    notShown: false,
    silent: 'Several sort descriptors, and wrong ones.',
    choice: `At most ${SORTING_MAX}, the first counts most. An unreadable descriptor, an unknown column or a column named twice is a 422 that names \`sorting[]\`.`,
  },
  {
    section: '4',
    operations: LISTS,
    notShown: false,
    silent: '`page` or `per_page` that is not a whole number from 1, or a parameter given twice.',
    choice: `422 that names the parameter, and so for a page beyond ${PAGE_MAX}.`,
  },
  {
    section: '4',
    operations: LISTS,
    notShown: false,
    silent: 'Parameters that no list has.',
    choice:
      'Ignored, except a parameter of the list that is misspelt (`sorting`, `perpage`, `seach`), which is a 422 that names the known ones: to ignore it would give another list silently.',
  },
  {
    section: '4',
    operations: LISTS,
    notShown: false,
    silent: 'A page past the end.',
    choice: '200 with empty `data` and the true `total` and `last_page`. `last_page` is 1 when there is nothing.',
  },
  {
    section: '5',
    operations: [],
    notShown: true,
    silent: 'How a token is issued, its lifetime and its permission scopes.',
    choice:
      'Whoever operates the service makes it (`npm run admin -- token create`), and so can an admin of the workspace, in the console; it is shown once, lives until it expires or is revoked, and may do in its one workspace what its role allows. An operation that its role does not have is 403.',
  },
  {
    section: '5',
    operations: ALL,
    notShown: false,
    silent: 'A token that is missing, malformed, unknown or revoked.',
    choice: '401 with `WWW-Authenticate: Bearer`.',
  },
  {
    section: '5',
    operations: ALL,
    notShown: false,
    silent: 'A valid token whose workspace is suspended.',
    choice: '403.',
  },
  {
    section: '6',
    operations: [],
    notShown: true,
    silent: 'An operation that creates events.',
    choice:
      'Two additions, `POST /v1/contacts/{contact}/events` for one and `POST /v1/events` for many, and the import (`npm run admin -- import events`).',
  },
  {
    section: '6',
    operations: [],
    notShown: true,
    silent: 'Outgoing notifications.',
    choice: 'None.',
  },
  {
    section: '7',
    operations: ALL,
    notShown: true,
    silent: 'Statuses for failures other than those of the event list.',
    choice:
      'An unknown contact or domain is a 404 everywhere, and one of another workspace is answered with the same bytes. Body: too large 413, another media type, or any content coding, 415, not JSON 400, wrong content 422. Wrong method: 405 with `Allow`.',
  },
  {
    section: '7',
    operations: ALL,
    notShown: true,
    silent: 'The shape of an error body.',
    choice:
      'RFC 9457, `application/problem+json`: `type`, `title`, `status`, `detail`, `request_id` and, where single fields are at fault, `errors: [{ field, message }]`.',
  },
  {
    section: '8',
    operations: LISTS,
    notShown: true,
    silent: 'The maximum of `per_page`.',
    choice: `${PER_PAGE_MAX}; a larger value is answered as ${PER_PAGE_MAX}, and \`meta.per_page\` says so.`,
  },
  {
    section: '8',
    operations: LISTS,
    notShown: false,
    silent: 'How many bytes a page may have.',
    choice:
      'Its rows together about 1 MiB as JSON, or one row alone. Where the largest rows of a list would not fit together, all its pages are shorter than asked for, by the same number of rows wherever the large ones are, and `meta.per_page` says how long. So whoever goes on from page to page meets each row once, with the length that was asked for as well as with the one that was told.',
  },
  {
    section: '8',
    operations: ALL,
    notShown: true,
    silent: 'Rate limits.',
    choice:
      'A number of requests a minute for each token, set by whoever operates the service; beyond it 429 with `Retry-After`.',
  },
  {
    section: '9',
    operations: [],
    notShown: true,
    silent: 'Rules for version changes, deprecation and a version header.',
    choice: 'There is `/v1` only and no version header. What we add is marked as an addition and can be switched off.',
  },
];

/** The gaps that concern `operation`; those of the whole service when it is null. */
export function findGaps(operation: Endpoint | null): readonly Gap[] {
  return gaps.filter((gap) =>
    operation === null ? gap.operations.length === 0 : gap.operations.includes(operation.id),
  );
}
