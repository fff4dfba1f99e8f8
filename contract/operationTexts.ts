// The texts of the OpenAPI document. They are not in the operations, which are part of the bundle of the console.

type OperationText = {
  readonly summary: string;
  readonly description: string;
  /** What `search` matches, in words, where the operation is a list that can be searched. */
  readonly searched?: string;
  /** Description of the success response. */
  readonly success: string;
  /** Descriptions of the query parameters, where it is no list. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Name of the schema of the request body, if there is one. */
  readonly body?: string;
  /** Name of the schema of the result. */
  readonly result: string;
  /** Error statuses besides those of every operation (400, 401, 403, 429). */
  readonly problemStatuses: readonly (404 | 409 | 413 | 415 | 422)[];
};

export const operationTexts: Readonly<Record<string, OperationText>> = {
  updateContact: {
    summary: 'Update contact',
    description: 'Changes the attributes that are given and answers with the whole contact.',
    success: 'The contact after the change.',
    body: 'ContactChange',
    result: 'Contact',
    problemStatuses: [404, 409, 413, 415, 422],
  },
  unsubscribeContact: {
    summary: 'Unsubscribe contact',
    description:
      'Sets `subscribed` to false. Safe to repeat: a contact that is already unsubscribed is answered as it is.',
    success: 'The contact, unsubscribed.',
    result: 'UnsubscribedContact',
    problemStatuses: [404, 413, 415],
  },
  listContactEvents: {
    summary: 'List events of a contact',
    description: 'The custom events recorded for one contact, a page at a time.',
    searched: 'event names',
    success: 'One page of events.',
    result: 'EventPage',
    problemStatuses: [404, 422],
  },
  listDomains: {
    summary: 'List sending domains',
    description: 'The sending domains of the workspace, each with the DNS records it needs.',
    searched: 'domain names',
    success: 'One page of domains.',
    result: 'DomainPage',
    problemStatuses: [422],
  },
  listDomainAddresses: {
    summary: 'List sender addresses of a domain',
    description: 'The addresses that send from one domain.',
    success: 'One page of sender addresses.',
    result: 'SenderAddressPage',
    problemStatuses: [404, 422],
  },
  getWorkspace: {
    summary: 'Get workspace',
    description: 'The workspace of the token, and which additions this service offers.',
    success: 'The workspace.',
    result: 'WorkspaceAnswer',
    problemStatuses: [],
  },
  listContacts: {
    summary: 'List contacts',
    description: 'The contacts of the workspace, in the conventions of the other lists.',
    searched: 'the first 256 characters each of email, phone, the custom identity, names, company and job title',
    success: 'One page of contacts.',
    result: 'ContactPage',
    problemStatuses: [422],
  },
  getContact: {
    summary: 'Get contact',
    description: 'One contact, found by UUID or identity value.',
    success: 'The contact.',
    result: 'ContactAnswer',
    problemStatuses: [404],
  },
  listContactChanges: {
    summary: 'List changes of a contact',
    description:
      'Every change of one contact, newest first: when, by which token, in which request, and what each field was before and after.',
    success: 'One page of changes.',
    result: 'ChangePage',
    problemStatuses: [404, 422],
  },
  getContactActivity: {
    summary: 'Get activity of a contact',
    description:
      'How many events one contact has in each hour, day, week, month or year of a range of time, by event name, and how many events are newer, which is where a list of events has to be opened.',
    success: 'The counts of at most 400 buckets.',
    result: 'ContactActivityAnswer',
    problemStatuses: [404, 422],
    parameters: {
      from: 'The first bucket contains this time. Without it, the first event, but at most 400 buckets back.',
      to: 'The last bucket ends at this time or contains it. Without it, now.',
      step: 'The length of a bucket. Without it, the shortest that gives at most 120.',
      zone: 'The time zone (IANA) in which days, weeks (from Monday), months and years begin. Without it, UTC.',
      search: 'Counts only events whose name contains this.',
    },
  },
  getOverview: {
    summary: 'Get overview of the workspace',
    description:
      'How many contacts there are, how many were unsubscribed on each of the last 30 days and with which token, and the last changes of contacts.',
    success: 'The counts and the last changes.',
    result: 'OverviewAnswer',
    problemStatuses: [422],
    parameters: { zone: 'The time zone (IANA) in which days begin. Without it, UTC.' },
  },
  subscribeContact: {
    summary: 'Subscribe contact again',
    description:
      'Sets `subscribed` to true and records the reason. For a mistaken unsubscribe, or with the consent of the person. Safe to repeat: a contact that is already subscribed is answered as it is, and nothing is recorded.',
    success: 'The contact, subscribed.',
    body: 'Resubscription',
    result: 'SubscribedContact',
    problemStatuses: [404, 413, 415, 422],
  },
  getDomainSummary: {
    summary: 'Count domains by state',
    description:
      'How many domains of the workspace are in each state. `healthy`: nothing is wrong. `pending`: the domain was not verified yet, and has time. `failing`: a record or the verification failed, and somebody has to act. `GET /v1/domains` takes `state` to list those of one state.',
    success: 'The counts.',
    result: 'DomainSummaryAnswer',
    problemStatuses: [],
  },
  checkDomain: {
    summary: 'Check DNS of a domain',
    description:
      'Asks the DNS what is published now for each record of the domain, and says what is wrong and what to type where. Stores the verdicts. The answer is a stream of JSON lines; one that was given to others less than half a minute ago is given again.',
    success: 'A line for each record and each advice, in the order in which they are known, then a line of kind `end`.',
    result: 'CheckLine',
    problemStatuses: [404],
  },
};

export const pathParameterTexts: Readonly<Record<string, string>> = {
  contact: 'UUID of the contact, or an identity value: its email, its phone or the custom identity of the workspace.',
  workspace: 'UUID of the workspace; it must be the workspace of the token.',
  domain: 'UUID of the domain.',
};

export const problemDescriptions: Readonly<Record<number | 'default', string>> = {
  400: 'The request cannot be read: a path parameter that means nothing, or a body that is not JSON.',
  401: 'The token is missing, malformed, unknown or revoked.',
  403: 'The token has no access: its workspace is suspended, or it is not the workspace in the path.',
  404: 'The workspace of the token has nothing under this name.',
  409: 'Another contact of the workspace already has this identity.',
  413: 'The body is too large.',
  415: 'The body is not `application/json`.',
  422: 'The request can be read but not accepted; `errors` names each field or parameter.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  default: 'Any other failure, in the same shape.',
};
