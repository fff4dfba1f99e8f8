import type { Endpoint } from './endpoint.ts';
import { operations } from '#contract/interface.ts';
import { PER_PAGE_MAX } from '#contract/list.ts';

// What the interface calls "not shown": `x-not-shown` of OpenAPI. docs/gaps.md also has what it doesn't mention.

export type Gap = {
  readonly section: string;
  readonly operations: readonly string[];
  readonly silent: string;
  readonly choice: string;
};

const LISTS = ['listContactEvents', 'listDomains', 'listDomainAddresses'];
const ALL = operations.map((operation) => operation.id);

export const gaps: readonly Gap[] = [
  {
    section: '2',
    operations: ['unsubscribeContact'],
    silent: 'What `provider` of a contact means.',
    choice: "The mailbox operator, by the email's domain (`gmail`), or empty.",
  },
  {
    section: '2',
    operations: ['unsubscribeContact', 'listDomains', 'listDomainAddresses'],
    silent: "All values of `status`, `verification`, `provider` and a DNS record's type.",
    choice:
      'Open: a reader accepts any. Our service writes `pending`, `completed` and `failed` for `verification`, and keeps what was imported.',
  },
  {
    section: '3',
    operations: ['unsubscribeContact'],
    silent: 'How a contact becomes subscribed again.',
    choice:
      'Not through these operations or an import. Our addition `subscribeContact` does it with a recorded reason; `subscribeOwnContact`, for other clients, also without.',
  },
  {
    section: '3',
    operations: ['listDomains'],
    silent: 'How the states of a domain change.',
    choice:
      "By import and DNS checks: our addition `checkDomain`, and the service's own. A record is valid after one right check, and invalid after two failures at least 5 minutes apart; pending and unknown results change nothing. `verified` is true when all records outside the MAIL FROM name are valid, `mail_from_verified` when all at it are, in each case at least one. `verification` and `status` become `completed` when every record is valid, and `failed` when one no longer is or no verdict has changed for 72 hours; other words stay. A check raises a state only by finding something right. `updated_at` moves only with a change.",
  },
  {
    section: '3',
    operations: ['listDomainAddresses'],
    silent: 'How the verification of a sender address changes.',
    choice: 'By import only.',
  },
  {
    section: '4.1',
    operations: ['updateContact'],
    silent: 'The status of success, and whether attributes are merged into or replace the existing ones.',
    choice: '200, merged: a given key changes, null removes, others stay. `updated_at` moves only with a change.',
  },
  {
    section: '4.3',
    operations: ['listContactEvents'],
    silent: 'The name of a page-number parameter for events.',
    choice: '`page`, from 1, as for domains.',
  },
  {
    section: '4.3',
    operations: ['listContactEvents'],
    silent: 'Sortable columns other than `created_at`.',
    choice: '`event_name`; within one name the newest event comes first.',
  },
  {
    section: '4.4',
    operations: ['listDomains'],
    silent: 'Sortable columns of the domains.',
    choice: 'Every column that holds one value, so all but `dns`. Letter casing is ignored.',
  },
  {
    section: '4.5',
    operations: ['listDomainAddresses'],
    silent: 'The order of the addresses.',
    choice: 'Newest first; there is no sorting.',
  },
  {
    section: '5',
    operations: [],
    silent: 'How a token is issued, its lifetime and its permission scopes.',
    choice:
      "The operator (`npm run admin -- token create`) or an admin of the workspace creates it. It's shown once, lives until it expires or is revoked, and may do what its role allows in its workspace; else 403.",
  },
  {
    section: '6',
    operations: [],
    silent: 'An operation that creates events.',
    choice: 'Additions `POST /v1/contacts/{contact}/events` and `POST /v1/events`, and the import.',
  },
  {
    section: '6',
    operations: [],
    silent: 'Outgoing notifications.',
    choice:
      'Additions: destinations for messages about domains and changes of contacts (webhooks and mail). The five operations emit none.',
  },
  {
    section: '7',
    operations: ALL,
    silent: 'Statuses for failures other than those of the event list.',
    choice:
      'An unknown contact or domain is a 404; one of another workspace gets the same bytes. Body: too large 413, another media type or any content coding 415, not JSON 400, wrong content 422. Wrong method: 405 with `Allow`.',
  },
  {
    section: '7',
    operations: ALL,
    silent: 'The shape of an error body.',
    choice:
      'RFC 9457, `application/problem+json`: `type`, `title`, `status`, `detail`, `request_id` and, where single fields are at fault, `errors: [{ field, message }]`.',
  },
  {
    section: '8',
    operations: LISTS,
    silent: 'The maximum of `per_page`.',
    choice: `${PER_PAGE_MAX}; a larger value counts as ${PER_PAGE_MAX} (\`meta.per_page\`).`,
  },
  {
    section: '8',
    operations: ALL,
    silent: 'Rate limits.',
    choice: 'Requests a minute per token, a setting; beyond it 429 with `Retry-After`.',
  },
  {
    section: '9',
    operations: [],
    silent: 'Rules for version changes, deprecation and a version header.',
    choice: 'There is `/v1` only and no version header. What we add is marked as an addition and can be switched off.',
  },
];

export function findGaps(operation: Endpoint | null): readonly Gap[] {
  return gaps.filter((gap) =>
    operation === null ? gap.operations.length === 0 : gap.operations.includes(operation.id),
  );
}
