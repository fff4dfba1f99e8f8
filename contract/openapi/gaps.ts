import type { Endpoint } from './endpoint.ts';
import { operations } from '#contract/interface.ts';
import { PAGE_MAX, PER_PAGE_MAX, SEARCH_MAX, SORTING_MAX } from '#contract/list.ts';

// What the interface leaves open, and what this service does. docs/gaps.md and the `x-not-shown` notes of the OpenAPI
// document are printed from this list.

export type Gap = {
  /** Section of the interface. */
  readonly section: string;
  /** Ids of the operations concerned; empty when it is the service as a whole. */
  readonly operations: readonly string[];
  /** Whether the interface says "not shown"; otherwise it says nothing. */
  readonly notShown?: true;
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
    choice: "The mailbox operator, by the email's domain (`gmail`), or empty.",
  },
  {
    section: '2',
    operations: ['unsubscribeContact', 'listDomains', 'listDomainAddresses'],
    notShown: true,
    silent: "All values of `status`, `verification`, `provider` and a DNS record's type.",
    choice:
      'Open: a reader accepts any. Our service writes `pending`, `completed` and `failed` for `verification`, and keeps what was imported.',
  },
  {
    section: '2',
    operations: CONTACT_PATHS,
    silent: 'Two contacts with one identity.',
    choice: 'Impossible in a workspace; an update that would cause it is a 409.',
  },
  {
    section: '2',
    operations: ['updateContact'],
    silent: "Whether a contact may get an erased person's identity.",
    choice: 'No: 422, until an admin lifts the erasure.',
  },
  {
    section: '2',
    operations: ['updateContact'],
    silent: 'How phone numbers and the custom identity are matched.',
    choice:
      'Exactly, trimmed. Only emails ignore letter case. Otherwise an international phone number is found by its digits in any grouping (`+49 30 9018-2233`, `0049 (0)30 90182233`), unless several contacts have them.',
  },
  {
    section: '2',
    operations: ['updateContact'],
    silent: 'Which numbers an attribute may hold.',
    choice: `Integers in the safe range (-${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}) and 64-bit fractions (IEEE 754); \`-0\` is \`0\`. Others are a 422 that names the attribute, because they'd return with other digits; text keeps all.`,
  },
  {
    section: '2',
    operations: ['updateContact'],
    silent: 'How much a contact may hold.',
    choice:
      '200 attributes with names of 128 characters; a value of 8 KiB and 20 levels; together 64 KiB as JSON in UTF-8. An update beyond this is a 422. A larger contact stays readable and may change without growing.',
  },
  {
    section: '3',
    operations: ['unsubscribeContact'],
    notShown: true,
    silent: 'How a contact becomes subscribed again.',
    choice:
      'Not through these operations or an import. Our addition `subscribeContact` does it with a recorded reason; `subscribeOwnContact`, for other clients, also without.',
  },
  {
    section: '3',
    operations: ['listDomains'],
    notShown: true,
    silent: 'How the states of a domain change.',
    choice:
      "By import and DNS checks: our addition `checkDomain`, and the service's own. A record is valid after one right check, and invalid after two failures at least 5 minutes apart; pending and unknown results change nothing. `verified` is true when all records outside the MAIL FROM name are valid, `mail_from_verified` when all at it are, in each case at least one. `verification` and `status` become `completed` when every record is valid, and `failed` when one no longer is or no verdict has changed for 72 hours; other words stay. A check raises a state only by finding something right. `updated_at` moves only with a change.",
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
    silent: 'In which order `{contact}` is tried.',
    choice:
      "UUID if it has the form of one, then email (trimmed, any letter case), phone, the workspace's custom identity.",
  },
  {
    section: '4',
    operations: CONTACT_PATHS,
    silent: 'A path parameter that no URL can carry.',
    choice: '`.`, `..`, an empty value, a NUL character and broken percent-encoding are a 400.',
  },
  {
    section: '4',
    operations: ['updateContact', 'unsubscribeContact'],
    silent: 'Whether changes of a contact are recorded.',
    choice:
      'Yes, in the same transaction: when, by which token or person, in which request (`x-request-id`), before and after. Our addition `listContactChanges` reads it. A call without a change records nothing.',
  },
  {
    section: '4.1',
    operations: ['updateContact'],
    notShown: true,
    silent: 'The status of success, and whether attributes are merged into or replace the existing ones.',
    choice: '200, merged: a given key changes, null removes, others stay. `updated_at` moves only with a change.',
  },
  {
    section: '4.1',
    operations: ['updateContact'],
    silent: 'A body with other keys than `attributes`, or `attributes` that is not an object.',
    choice:
      '422 that names the field. With additions, `subscribed: false` unsubscribes, `true` is a 422 for an unsubscribed contact, and `attributes` may be missing then.',
  },
  {
    section: '4.2',
    operations: ['unsubscribeContact'],
    silent: 'A workspace in the path that is not the workspace of the token.',
    choice: '403, the same whether that workspace exists or not.',
  },
  {
    section: '4.2',
    operations: ['unsubscribeContact'],
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
    silent: 'The direction of the default order by `created_at`.',
    choice: 'Newest first.',
  },
  {
    section: '4.3',
    operations: ['listContactEvents'],
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
    silent: 'A filter of the domains.',
    choice:
      "With additions, `state` is `healthy`, `pending` or `failing`, and `getDomainSummary` counts them. Without, it's ignored.",
  },
  {
    section: '4.2',
    operations: ['unsubscribeContact'],
    silent: 'Whether anything counts unsubscribes.',
    choice:
      "Our addition `getOverview`: for 30 days of a time zone, by token, person or import. An undone one stays counted; a repeat isn't counted.",
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
    silent: 'The order of rows that are equal in every sorted column.',
    choice: 'By `uuid`, always, so that pages neither repeat nor lose a row.',
  },
  {
    section: '4',
    operations: SEARCHED,
    silent: 'How `search` matches.',
    choice: `All words must be parts of the name, in any order; double quotes make one word. Letter case is ignored, for event names accents too (\`ø\` is \`o\`, \`ß\` is \`ss\`); whole labels of domains match in both spellings (\`münchen\`, \`xn--mnchen-3ya\`). \`%\`, \`_\` and \`\\\` are ordinary characters. More than ${SEARCH_MAX} characters is a 422.`,
  },
  {
    section: '4',
    operations: SEARCHED,
    silent: 'Several sort descriptors, and wrong ones.',
    choice: `At most ${SORTING_MAX}, the first counts most. An unreadable descriptor, an unknown column or a column named twice is a 422 that names \`sorting[]\`.`,
  },
  {
    section: '4',
    operations: LISTS,
    silent: '`page` or `per_page` that is not a whole number from 1, or a parameter given twice.',
    choice: `422 that names the parameter, and so for a page beyond ${PAGE_MAX}.`,
  },
  {
    section: '4',
    operations: LISTS,
    silent: 'Parameters that no list has.',
    choice: 'Ignored, except misspelt ones (`sorting`, `perpage`, `seach`), which are a 422 that names the known ones.',
  },
  {
    section: '4',
    operations: LISTS,
    silent: 'A page past the end.',
    choice: '200 with empty `data` and the true `total` and `last_page`. `last_page` is 1 when there is nothing.',
  },
  {
    section: '5',
    operations: [],
    notShown: true,
    silent: 'How a token is issued, its lifetime and its permission scopes.',
    choice:
      "The operator (`npm run admin -- token create`) or an admin of the workspace creates it. It's shown once, lives until it expires or is revoked, and may do what its role allows in its workspace; else 403.",
  },
  {
    section: '5',
    operations: ALL,
    silent: 'A token that is missing, malformed, unknown or revoked.',
    choice: '401 with `WWW-Authenticate: Bearer`.',
  },
  {
    section: '5',
    operations: ALL,
    silent: 'A valid token whose workspace is suspended.',
    choice: '403.',
  },
  {
    section: '6',
    operations: [],
    notShown: true,
    silent: 'An operation that creates events.',
    choice: 'Additions `POST /v1/contacts/{contact}/events` and `POST /v1/events`, and the import.',
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
      'An unknown contact or domain is a 404; one of another workspace gets the same bytes. Body: too large 413, another media type or any content coding 415, not JSON 400, wrong content 422. Wrong method: 405 with `Allow`.',
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
    choice: `${PER_PAGE_MAX}; a larger value counts as ${PER_PAGE_MAX} (\`meta.per_page\`).`,
  },
  {
    section: '8',
    operations: LISTS,
    silent: 'How many bytes a page may have.',
    choice:
      "About 1 MiB of rows as JSON, or one row. If a list's largest rows don't fit together, all its pages are shorter by the same number (`meta.per_page`), so a client that turns pages gets each row once.",
  },
  {
    section: '8',
    operations: ALL,
    notShown: true,
    silent: 'Rate limits.',
    choice: 'Requests a minute per token, a setting; beyond it 429 with `Retry-After`.',
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
