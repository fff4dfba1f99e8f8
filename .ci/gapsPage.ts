import { gaps, type Gap } from '#contract/gaps.ts';
import { operations } from '#contract/interface.ts';

/** The contents of docs/gaps.md. */
export function gapsPage(): string {
  const sections = [...new Set(gaps.map((gap) => gap.section))].toSorted();
  return `# Where the interface is silent

What our service does where the interface says nothing. Printed from \`contract/gaps.ts\` by \`npm run gaps\`; the same
sentences are in the OpenAPI document as \`x-not-shown\`. "Not shown" are the words of the interface itself; the other
rows are questions that it does not raise.

${sections.map(formatSection).join('\n')}
## Leadpush's own clients

What their SDK for Node meets here (read in November 2026; that for Python has the same paths). Every call that is not in this
table has the answer that the SDK expects. \`server/contacts/otherClients.service.test.ts\` sends these calls.

| call | path | answer | why |
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
    'additions `listContacts`, `getContact`; the interface has `provider` in the answer to an unsubscribe only',
  ],
  [
    '`contacts.create`',
    '`POST /v1/contacts`',
    '200 with `data`: the contact and `created`. A token of the role `ingest` gets `uuid` and `created` only.',
    'addition `createContact`; that role reads nothing',
  ],
  [
    '`contacts.update`, `contact.update`',
    '`POST /v1/contacts/{contact}`',
    '200 and the change is made, but the contact is the top-level value. The SDK reads `data`, so its model is empty: get the contact again. `subscribed: true` for an unsubscribed contact is 422.',
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
    '200 as the SDK expects. The log has no reason; `client.post(path, { reason })` gives one.',
    'addition `subscribeOwnContact`',
  ],
  [
    '`events.create`',
    '`POST /v1/contacts/{contact}/events`',
    '200 with `data.recorded`; `attributes` may be the text of a JSON object',
    'addition `recordEvent`; older versions of the SDK read an event from the answer, which is not there',
  ],
  ['`domains.get`', '`GET /v1/domains/{domain}`', '200 as the SDK expects', 'addition `getDomain`'],
  [
    '`domains.verify`',
    '`POST /v1/domains/{domain}/verification`',
    '404',
    'the service checks by itself, and `checkDomain` checks now, as a stream',
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
    'addresses come by import, and their list has all of them',
  ],
  [
    '`workspace.get`',
    '`GET /v1/workspace`',
    '200 with our workspace in `data`. The SDK looks for `workspace`, `counts` and `sending` in it.',
    'addition `getWorkspace`, which is older',
  ],
  [
    '`fields`, `suppressions`, `emails`, `campaigns`, `metrics`, `activity`',
    '`/v1/fields` and so on',
    '404',
    'this service has no such data',
  ],
  [
    'errors',
    'all',
    'RFC 9457. The SDK has an error of its own for 401, 403, 404 and 422, and `ApiError` with the status for others, as 409 and 429.',
    'the interface does not show the shape of an error',
  ],
];

function formatSection(section: string): string {
  const rows = gaps.filter((gap) => gap.section === section).map(row);
  return `## Section ${section}

| open | says so itself | operations | our choice |
|---|---|---|---|
${rows.join('\n')}
`;
}

function row(gap: Gap): string {
  const touched = gap.operations.length === operations.length ? 'all' : gap.operations.join(', ') || 'the service';
  return `| ${gap.silent} | ${gap.notShown ? 'not shown' : ''} | ${touched} | ${gap.choice} |`;
}
