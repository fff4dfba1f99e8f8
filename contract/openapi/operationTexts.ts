// The texts of the OpenAPI document. They are not in the operations, which are part of the bundle of the console.

export type OperationText = {
  readonly summary: string;
  readonly description: string;
  /** What `search` matches, in words, where the operation is a list that can be searched. */
  readonly searched?: string;
  /** Description of the success response. */
  readonly success: string;
  /** Descriptions of the query parameters; for a list, of its filters that take a text or a time. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Name of the schema of the request body, if there is one. */
  readonly body?: string;
  /** Name of the schema of the result; null where there is none. */
  readonly result: string | null;
  /** Error statuses besides those of every operation (400, 401, 403, 429). */
  readonly problemStatuses: readonly (404 | 409 | 413 | 415 | 422)[];
};

export const operationTexts: Readonly<Record<string, OperationText>> = {
  updateContact: {
    summary: 'Update contact',
    description:
      'Changes the attributes that are given and answers with the whole contact. With additions, `subscribed: false` unsubscribes it too, and `attributes` may then be missing.',
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
    parameters: { event_name: 'Only events of exactly this name. An addition.' },
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
      'Every change of one contact, newest first: when, by whom, in which request, and what each field was before and after. That it was created by an operation is the first, without values; one that was imported has no such line.',
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
      event_name: 'Counts only events of exactly this name.',
    },
  },
  getOverview: {
    summary: 'Get overview of the workspace',
    description:
      'How many contacts there are, how many were unsubscribed on each of the last 30 days and by whom, and the last changes of contacts.',
    success: 'The counts and the last changes.',
    result: 'OverviewAnswer',
    problemStatuses: [422],
    parameters: { zone: 'The time zone (IANA) in which days begin. Without it, UTC.' },
  },
  listChanges: {
    summary: 'List changes',
    description:
      'What happened in the workspace, newest first: contacts created, changes of contacts, sign-ins, tokens made and revoked, exports and imports. Whoever calls can name a run of several requests by the header `sendroom-run`, a UUID of its own, which is in the lines of these requests.',
    searched: 'the name of who did it, or the whole ID of a line, a request or a run, or what names a contact',
    success: 'One page of the log.',
    result: 'LogPage',
    problemStatuses: [422],
    parameters: {
      actor: 'Only what was done by the token or person with this UUID, by `command` or by `service`.',
      contact: 'Only what was done to this contact: its UUID, or an identity value.',
      from: 'Only what happened at this time or later.',
      to: 'Only what happened before this time.',
    },
  },
  recordExport: {
    summary: 'Record an export',
    description:
      'Adds a line to the log that says that the caller saves a list as a file. The console calls it before it reads the list. A program that reads a list page by page may do the same.',
    success: 'When it was logged.',
    body: 'Export',
    result: 'ExportReceipt',
    problemStatuses: [413, 415, 422],
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
  unsubscribeOwnContact: {
    summary: 'Unsubscribe contact of the token',
    description: 'As `unsubscribeContact`, in the workspace of the token.',
    success: 'The contact, unsubscribed.',
    result: 'UnsubscribedContact',
    problemStatuses: [404, 413, 415],
  },
  subscribeOwnContact: {
    summary: 'Subscribe contact of the token again',
    description:
      'As `subscribeContact`, in the workspace of the token, and the body may be missing: then the log has no reason.',
    success: 'The contact, subscribed.',
    body: 'OwnResubscription',
    result: 'SubscribedContact',
    problemStatuses: [404, 413, 415, 422],
  },
  getDomain: {
    summary: 'Get domain',
    description: 'One sending domain with the DNS records it needs.',
    success: 'The domain.',
    result: 'DomainAnswer',
    problemStatuses: [404],
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
  createContact: {
    summary: 'Create contact',
    description:
      'Creates a contact. With a UUID or an identity that a contact has already it is 409; with `upsert` the attributes are merged into that contact instead, and `subscribed: false` unsubscribes it. Nobody is subscribed again. A role that reads contacts gets the whole contact, the role `ingest` nothing that is stored.',
    success:
      'The UUID of the contact, and whether it was created; for a role that reads contacts, also its other fields.',
    parameters: { upsert: 'Merges into a contact that exists already: `upsert` or `upsert=true`.' },
    body: 'NewContact',
    result: 'ContactReceipt',
    problemStatuses: [409, 413, 415, 422],
  },
  recordEvent: {
    summary: 'Record event',
    description:
      'Records one event of a contact. With a `uuid` it may be repeated: an event that is recorded already changes nothing. So it is with a `created_at` and no `uuid`, for an event that is the same in everything. `attributes` may also be the text of a JSON object.',
    success: 'Whether the event was recorded now.',
    body: 'NewEvent',
    result: 'EventReceipt',
    problemStatuses: [404, 409, 413, 415, 422],
  },
  recordEvents: {
    summary: 'Record events',
    description:
      'Records up to 1,000 events of any contacts, as a JSON array or as a line each (`application/x-ndjson`), at most 256 KiB and 20,000 fields, arrays and objects. Each needs a `uuid` or a `created_at`, so that the request may be repeated. Every event is answered, in the order given, and one that is refused keeps no other back. A line that cannot be read is refused by itself, and answers to lines have their numbers; an array that cannot be read is 400 or 422 as a whole.',
    success: 'What became of each event, and how many of each outcome.',
    body: 'NewEvents',
    result: 'EventOutcomes',
    problemStatuses: [413, 415, 422],
  },
  listMembers: {
    summary: 'List members',
    description: 'The people who may sign in to the workspace, with their role and where it comes from.',
    searched: 'the email or the name',
    success: 'One page of members.',
    result: 'MemberPage',
    problemStatuses: [422],
  },
  inviteMember: {
    summary: 'Invite member',
    description:
      'Lets a person in: the first account of the organisation that has this address verified takes the invitation. The service sends no mail.',
    success: 'The member.',
    body: 'Invitation',
    result: 'MemberAnswer',
    problemStatuses: [409, 413, 415, 422],
  },
  updateMember: {
    summary: 'Change role of member',
    description:
      'Holds from the next request of the person on. The role of a member by a group is that of the group, and cannot be changed here. The last admin who can sign in keeps the role, unless a token takes it.',
    success: 'The member.',
    body: 'MemberChange',
    result: 'MemberAnswer',
    problemStatuses: [404, 409, 413, 415, 422],
  },
  removeMember: {
    summary: 'Remove member',
    description:
      'Holds from the next request of the person on. A member by a group comes back at the next sign-in while the group has a role. The last admin who can sign in can be removed by a token only. Tokens that the person created stay accepted: the response lists them, with those created by their means, so that you can revoke them.',
    success: 'The member is removed. Tokens that they created and that are still accepted.',
    result: 'RemovedMember',
    problemStatuses: [404, 409],
  },
  listTokens: {
    summary: 'List tokens',
    description:
      'The access tokens of the workspace without their secrets: those that are accepted, then the others; newest first.',
    searched: 'the name',
    success: 'One page of tokens.',
    result: 'TokenPage',
    problemStatuses: [422],
  },
  createToken: {
    summary: 'Create token',
    description: 'Creates an access token. Its secret is in this response only.',
    success: 'The token with its secret.',
    body: 'NewToken',
    result: 'NewTokenAnswer',
    problemStatuses: [413, 415, 422],
  },
  revokeToken: {
    summary: 'Revoke token',
    description: 'Refuses a token, and ends its sessions, from the next request on. Safe to repeat.',
    success: 'The token is revoked.',
    result: null,
    problemStatuses: [404],
  },
  listSessions: {
    summary: 'List sessions',
    description:
      'Who is signed in to the console, newest first: all sessions of the workspace for an admin, their own for others.',
    success: 'One page of sessions.',
    result: 'SessionPage',
    problemStatuses: [422],
  },
  endSession: {
    summary: 'End session',
    description: 'Signs a session of the console out: any of the workspace for an admin, their own for others.',
    success: 'The session has ended.',
    result: null,
    problemStatuses: [404],
  },
  exportPerson: {
    summary: 'Export everything about a person',
    description:
      'One file with the record of a contact, all its changes and all its events, as JSON or as a page (HTML) that anybody can read. Events that are recorded while it is written may be in it, beyond `event_count`. That it was exported is in the log.',
    success: 'The file.',
    parameters: { format: '`json`, or `html` for a page to read and print. Without it, `json`.' },
    result: 'PersonFile',
    problemStatuses: [404, 422],
  },
  previewErasure: {
    summary: 'Preview the erasure of a person',
    description:
      'What an erasure of the contact would remove. Nothing is changed. `unclear` are lines of the log about others which have an identity of the contact: these stay unless the request names its value in `also`, because somebody else may be meant.',
    success: 'The counts.',
    result: 'ErasurePreviewAnswer',
    problemStatuses: [404],
  },
  eraseContact: {
    summary: 'Erase a person',
    description:
      'Deletes a contact with its identities, its events, and what the log says about it. Lines of the log stay, without values. A keyed hash of each identity stays, by which the person is refused when somebody creates or imports them again, until an admin lifts that. It cannot be undone. Events may be deleted after the answer; nobody sees them any more.',
    success: 'What was removed.',
    body: 'ErasureRequest',
    result: 'ErasureAnswer',
    problemStatuses: [404, 413, 415, 422],
  },
  findErasure: {
    summary: 'Find an erasure',
    description:
      'When the person who had this identity was erased, so that somebody who looks for them knows why nobody is found.',
    success: 'The time of the erasure; null where nobody with this identity is refused.',
    result: 'ErasureTime',
    problemStatuses: [],
  },
  liftErasure: {
    summary: 'Lift an erasure',
    description:
      'Accepts the identities of an erased person again, all of them by any one, and records the reason. Nothing that was erased comes back.',
    success: 'Whether somebody with this identity was refused until now.',
    body: 'LiftRequest',
    result: 'LiftAnswer',
    problemStatuses: [413, 415, 422],
  },
};

export const pathParameterTexts: Readonly<Record<string, string>> = {
  contact: 'UUID of the contact, or an identity value: its email, its phone or the custom identity of the workspace.',
  workspace: 'UUID of the workspace; it must be the workspace of the token.',
  domain: 'UUID of the domain.',
  identity: 'Any identity that the person had.',
  member: 'UUID of the member.',
  token: 'UUID of the token.',
  session: 'UUID of the session.',
};

export const problemDescriptions: Readonly<Record<number | 'default', string>> = {
  400: 'The request cannot be read: a path parameter that means nothing, or a body that is not JSON.',
  401: 'The token is missing, malformed, unknown or revoked.',
  403: 'The token has no access: its role does not have the operation, its workspace is suspended, or it is not the workspace in the path.',
  404: 'The workspace of the token has nothing under this name.',
  409: 'What is asked for does not go together with what is there: another contact has this identity, another event this UUID, another member this address, or it is the last admin.',
  413: 'The body is too large.',
  415: 'The body is of another media type than the operation takes, or has a content coding.',
  422: 'The request can be read but not accepted; `errors` names each field or parameter.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  default: 'Any other failure, in the same shape.',
};
