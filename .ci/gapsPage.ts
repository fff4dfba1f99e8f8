import { gaps, type Gap } from '#contract/openapi/gaps.ts';
import { operations } from '#contract/interface.ts';

/** The contents of docs/gaps.md. */
export function gapsPage(): string {
  const sections = [...new Set(gaps.map((gap) => gap.section))].toSorted();
  return `# Where the interface is silent

What our service does where the interface says nothing. Printed from \`contract/openapi/gaps.ts\` by \`npm run gaps\`; OpenAPI has
the same as \`x-not-shown\`. "Not shown" are the interface's own words.

${sections.map(formatSection).join('\n')}
## Leadpush's own clients

What their SDK for Node gets here (read in November 2026; Python's has the same paths). Calls that aren't listed get the
response that it expects. \`server/contacts/otherClients.service.test.ts\` sends them.

| call | path | response | why |
|---|---|---|---|
${SDK_CALLS.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
}

/** Call, path, what is answered, why. */
const SDK_CALLS: readonly (readonly [string, string, string, string])[] = [
  [
    '`contacts.get`, `list`',
    '`GET /v1/contacts`, `GET /v1/contacts/{contact}`',
    '200 as the SDK expects, without `provider`',
    'additions `listContacts`, `getContact`; `provider` is in the response to an unsubscribe only',
  ],
  [
    '`contacts.create`',
    '`POST /v1/contacts`',
    '200 with `data`: the contact and `created`; for the role `ingest` `uuid` and `created` only',
    'addition `createContact`',
  ],
  [
    '`contacts.update`, `contact.update`',
    '`POST /v1/contacts/{contact}`',
    "200, but the contact is the top-level value: the SDK's model is empty, so get the contact again. `subscribed: true` for an unsubscribed contact is 422.",
    'the interface, 4.1: no `data` wrapper',
  ],
  [
    '`contacts.unsubscribe`, `contact.unsubscribe`',
    '`POST /v1/contacts/{contact}/unsubscribe`',
    '200 as the SDK expects',
    'addition `unsubscribeOwnContact`',
  ],
  [
    '`contacts.subscribe`, `contact.subscribe`',
    '`POST /v1/contacts/{contact}/subscribe`',
    '200 as the SDK expects; `client.post(path, { reason })` gives the log a reason',
    'addition `subscribeOwnContact`',
  ],
  [
    '`events.create`',
    '`POST /v1/contacts/{contact}/events`',
    '200 with `data.recorded`; `attributes` may be the text of a JSON object',
    'addition `recordEvent`; older SDKs expect an event',
  ],
  ['`domains.get`', '`GET /v1/domains/{domain}`', '200 as the SDK expects', 'addition `getDomain`'],
  [
    '`domains.verify`',
    '`POST /v1/domains/{domain}/verification`',
    '404',
    'the service checks by itself; `checkDomain` checks now',
  ],
  [
    '`domains.create`, `delete`, `addresses.create`',
    '`POST /v1/domains`, `DELETE /v1/domains/{domain}`, `POST /v1/domains/{domain}/addresses`',
    '405',
    'domains and addresses come by import',
  ],
  [
    '`addresses.get`, `delete`',
    '`GET`, `DELETE /v1/domains/{domain}/addresses/{address}`',
    '404',
    'addresses come by import',
  ],
  [
    '`workspace.get`',
    '`GET /v1/workspace`',
    '200 with our workspace in `data`; the SDK looks for `workspace`, `counts` and `sending`',
    'addition `getWorkspace`',
  ],
  [
    '`fields`, `suppressions`, `emails`, `campaigns`, `metrics`, `activity`',
    '`/v1/fields` and so on',
    '404',
    'this service has no such data',
  ],
  ['errors', 'all', 'RFC 9457; the SDK throws its own errors for 401, 403, 404 and 422, else `ApiError`', 'not shown'],
];

function formatSection(section: string): string {
  const rows = gaps.filter((gap) => gap.section === section).map(row);
  return `## Section ${section}

| open | operations | our choice |
|---|---|---|
${rows.join('\n')}
`;
}

function row(gap: Gap): string {
  const touched = gap.operations.length === operations.length ? 'all' : gap.operations.join(', ') || 'the service';
  return `| ${gap.silent}${gap.notShown ? ' (not shown)' : ''} | ${touched} | ${gap.choice} |`;
}
