// The texts of the OpenAPI document. They aren't in the operations, which are part of the console's bundle.

export type OperationText = {
  readonly summary: string;
  readonly description: string;
  /** What `search` matches, if the operation is a list that can be searched. */
  readonly searched?: string;
  readonly success?: string;
  /** Descriptions of the query parameters; for a list, of its filters by text or time. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly conflicts?: true;
};

export const operationTexts: Readonly<Record<string, OperationText>> = {
  updateContact: {
    summary: 'Update contact',
    description:
      'Changes the given attributes and returns the whole contact. With additions, `subscribed: false` also unsubscribes it, and `attributes` may then be missing.',
    success: 'The contact after the change.',
    conflicts: true,
  },
  unsubscribeContact: {
    summary: 'Unsubscribe contact',
    description:
      'Sets `subscribed` to false. Safe to repeat: a contact that is already unsubscribed is returned unchanged. A stronger reason replaces a weaker one: `legal` any other, `complaint` any but `legal`, and any a missing one. The first repeat by another caller or run, or after 10 seconds, adds a line `unsubscribe_again` to the log, so that no undo of the first unsubscribe subscribes the contact. With additions, the body may say why, in which ticket, and where it comes from; by default that is `support` for the console and `program` for a token.',
    success: 'The contact, unsubscribed.',
  },
  listContactEvents: {
    summary: 'List events of a contact',
    description: 'The custom events recorded for one contact.',
    searched: 'event names',
    parameters: { event_name: 'Only events with exactly this name. An addition.' },
  },
  listDomains: {
    summary: 'List sending domains',
    description: 'The sending domains of the workspace, with the DNS records they need.',
    searched: 'domain names',
  },
  listDomainAddresses: {
    summary: 'List sender addresses of a domain',
    description: 'The addresses that send from one domain.',
  },
  getWorkspace: {
    summary: 'Get workspace',
    description: "The token's workspace, and the additions this service offers.",
  },
  listContacts: {
    summary: 'List contacts',
    description: 'The contacts of the workspace, in the conventions of the other lists.',
    searched: 'the first 256 characters of email, phone, the custom identity, names, company and job title',
    parameters: {
      filter:
        'Conditions that all hold, such as `plan:enterprise seats:>10 -subscribed updated:<2026-01 event:bounced within:30d`. `name:value` compares an attribute in any letter case, and `<`, `>`, `<=` and `>=` compare numbers or dates; `created`, `updated`, `since` (a year, month, day or time such as 2026-01-31T08:00Z, in UTC), `reason`, `origin` and `event` have their own meanings. `-` negates. A name or value with spaces is in double quotes. In a workspace of many contacts an attribute needs an index, or the response is 422.',
    },
  },
  listSuppressions: {
    summary: 'List unsubscribed contacts',
    description:
      'The contacts that are unsubscribed, since when, by whom and why; newest first. `unknown` is a reason or an origin that nobody gave. A contact that was imported unsubscribed counts from the day that the file says, else from the import. If a stronger reason was recorded later, `since` stays the time of the unsubscribe, and `recorded_at` is when reason, actor, origin and ticket were recorded. `from` and `to` are compared with `since`.',
    parameters: {
      actor: 'Only those of this actor: the UUID of a token or person, or `command`.',
      from: 'Only those from this time on.',
      to: 'Only those before this time.',
    },
  },
  startRun: {
    summary: 'Start bulk run',
    description:
      'Keeps a bulk unsubscribe for 30 days: who started it, why, and its contacts. Send its entries next, then each unsubscribe with the header `sendroom-run`. A run changes no contact that is not in it. With more contacts than `approval_above` of the run settings it waits until a second person approves it; no one can approve a run that a token started, so start it in the console, signed in with an account. Safe to repeat: the run is then returned as it is.',
    success: 'The run.',
  },
  addRunEntries: {
    summary: 'Add entries to bulk run',
    description:
      'Adds the next entries of a run, in their order; only who started it can. An entry is the UUIDs or identity values that may name its contact; the first that names one counts. Only the UUID of the contact is stored. Entries sent before change nothing.',
    success: 'How many entries the run has, how many contacts these are, and how many are none.',
    conflicts: true,
  },
  listRuns: {
    summary: 'List bulk runs',
    description:
      'The bulk unsubscribes and imports of the last 30 days, newest first. What they changed is counted in the audit log.',
    parameters: { run: 'Only the run with this UUID.', digest: 'Only runs of the file with this SHA-256.' },
  },
  listRunContacts: {
    summary: 'List contacts of bulk run',
    description: 'The contacts of a run, and what it did with each, by UUID.',
  },
  approveRun: {
    summary: 'Approve bulk run',
    description:
      'Lets a run with more contacts than `approval_above` of the run settings go on. Only a person with an account can approve, and only what another person started, never what a token started.',
    success: 'The run.',
    conflicts: true,
  },
  getRunCounts: {
    summary: 'Count bulk runs that need somebody',
    description:
      'How many runs wait for approval that the caller may approve, as a person who did not start them, and how many are incomplete or not finished, imports included. Both are 0 for a role that may not approve runs.',
    parameters: { without: 'A run that isn’t counted as unfinished, because the client shows it by itself.' },
    success: 'The counts.',
  },
  getRunSettings: {
    summary: 'Get settings of bulk runs',
    description: 'Above how many contacts a run waits for approval by a second person; null if it never does.',
  },
  updateRunSettings: {
    summary: 'Change settings of bulk runs',
    description:
      'Sets above how many contacts a run waits for approval by a second person; null switches it off. Requests without the header `sendroom-run` are never held back.',
    success: 'The settings.',
  },
  previewImport: {
    summary: 'Preview import',
    description: 'What an import of these contacts would do with each. Changes nothing.',
    success: 'What each row would do, and how many contacts would be unsubscribed.',
  },
  startImport: {
    summary: 'Start import',
    description:
      'Begins an import of contacts, which is kept for 30 days. Send its rows next. Safe to repeat: the import is then returned as it is. With `unsubscribes`, the sum of what its previews say, an import that needs approval is refused here; without it, at the first rows that pass `approval_above`, and the rows before them stay until you undo the import.',
    success: 'The import, as a run.',
  },
  importRows: {
    summary: 'Import rows',
    description:
      'Adds the next contacts of an import, in their order, or merges each into the contact with one of its identities. A suppression unsubscribes; nobody is subscribed again. Rows sent before change nothing.',
    success: 'What each row did.',
    conflicts: true,
  },
  undoImport: {
    summary: 'Undo import',
    description:
      'Sets fields of the next contacts back to their values from before an import, unless they changed since, and subscribes those that it unsubscribed. Contacts that it added stay. Repeat it with `after` until `next` is null.',
    success: 'What it did with these contacts.',
  },
  listUnsubscribeBursts: {
    summary: 'List unsubscribe bursts',
    description:
      'Groups of at least five contacts of one organisation that a program unsubscribed within seconds, in the last 7 days, newest first. A security scanner that follows the links of messages does that. Domains of mailbox providers, bulk lists and imports are left out. It changes nothing.',
    success: 'The groups, with those contacts that are still unsubscribed.',
  },
  listEventNames: {
    summary: 'List event names',
    description: 'The names of the events of all contacts, each once, for filters and rules. At most 500.',
    success: 'The names, sorted by code point.',
  },
  listEventRules: {
    summary: 'List event rules',
    description: 'Which events unsubscribe their contact, oldest first. There are none until an admin makes one.',
    success: 'The rules.',
  },
  previewEventRule: {
    summary: 'Preview event rule',
    description:
      'How many subscribed contacts had an event by which a rule would unsubscribe, of the first 5,000 events of its name if it has a condition. Changes nothing.',
    success: 'The counts.',
  },
  createEventRule: {
    summary: 'Create event rule',
    description:
      'From now on, events of this name unsubscribe their contact, with the reason; with a condition, only those that have the value in the attribute. Events from before the rule change nothing, nor do imported ones, nor one from before its contact was last subscribed again. A repeat changes nothing.',
    success: 'All rules.',
    conflicts: true,
  },
  removeEventRule: {
    summary: 'Remove event rule',
    description: 'From now on no event unsubscribes by it. Contacts that it unsubscribed stay so.',
    success: 'The rules that are left.',
  },
  listViews: {
    summary: 'List saved views',
    description:
      'Lists of contacts that are saved by name: first those that the caller saved, then those that others share, each by name. A view of a token or person who loses access is deleted, unless it is shared.',
    success: 'The views.',
  },
  createView: {
    summary: 'Save view',
    description:
      'Saves what a link to the page of contacts has after its question mark. It belongs to the token or person that calls.',
    success: 'The view.',
    conflicts: true,
  },
  updateView: {
    summary: 'Change saved view',
    description:
      'Renames a view, changes what it shows, or whether it is shared. For its owner, and for admins if it is shared.',
    success: 'The view after the change.',
    conflicts: true,
  },
  removeView: {
    summary: 'Delete saved view',
    description: 'For its owner, and for admins if it is shared. No contact is changed.',
    success: 'The view that was deleted.',
  },
  getContact: {
    summary: 'Get contact',
    description: 'One contact, by UUID or identity value.',
  },
  listContactChanges: {
    summary: 'List changes of a contact',
    description:
      'Every change of one contact, newest first: when, by whom, in which request, and each field before and after. The first change of a contact that was created by an operation is its creation, without values.',
  },
  getContactActivity: {
    summary: 'Get activity of a contact',
    description:
      'Counts the events of one contact per hour, day, week, month or year, by event name. Each bucket also counts the newer events, which is its offset in the list of events.',
    success: 'The counts of at most 400 buckets.',
    parameters: {
      from: 'The first bucket contains this time. Default: the first event, but at most 400 buckets back.',
      to: 'The last bucket contains this time or ends at it. Default: now.',
      step: 'The length of a bucket. Default: the shortest that gives at most 120.',
      zone: 'The time zone (IANA) in which days, weeks (from Monday), months and years begin. Default: UTC.',
      search: 'Counts only events whose name contains this.',
      event_name: 'Counts only events with exactly this name.',
    },
  },
  getOverview: {
    summary: 'Get overview of the workspace',
    description:
      'Contact totals, unsubscribes per day and actor (30 days), those of today until now with the same days of the last four weeks until the same time, and recent changes, grouped by actor, kind, and list or day. Every count of unsubscribes is of contacts that are unsubscribed now, by the day of their `since` in `listSuppressions`, with the reason and actor that they have there.',
    parameters: {
      zone: 'The time zone (IANA) in which days begin. Default: UTC.',
      since: 'Changes before this time are left out.',
    },
  },
  listChanges: {
    summary: 'List the audit log',
    description:
      'What happened in the workspace, newest first: contacts created and changed, sign-ins, tokens created and revoked, exports and imports. To group several requests as a run, send the header `sendroom-run` with a UUID of your own; their entries contain it.',
    searched: 'the name of the actor, or the whole ID of an entry, a request or a run, or an identity of the contact',
    parameters: {
      actor: 'Only actions of the token or person with this UUID, of `command` or of `service`.',
      contact: 'Only changes of this contact, by UUID or identity value.',
      from: 'Only entries at this time or later.',
      to: 'Only entries before this time.',
    },
  },
  getRetention: {
    summary: 'Get retention',
    description:
      'After how many days events and entries of the audit log are deleted, and what was deleted already. Nothing is until an operator sets it.',
    success: 'The days and times.',
  },
  recordExport: {
    summary: 'Record an export',
    description:
      'Adds an entry to the audit log that says that the caller saves a list as a file. The console calls it before it reads the list; a program that reads a whole list can do the same.',
    success: 'When it was logged.',
  },
  subscribeContact: {
    summary: 'Subscribe contact again',
    description:
      'Sets `subscribed` to true and records the reason. For a mistaken unsubscribe, or with the consent of the person. Safe to repeat: a contact that is already subscribed is returned unchanged, and nothing is recorded. A contact that is unsubscribed as `complaint` or `legal` needs the role `admin`, else 403, and a reason, else 422. In a run, only a contact that the run unsubscribed, that nobody unsubscribed again since, and that no later run has which stands (complete, approved and not undone); else 409. With `seen`, the UUID of the newest change that the caller knows, 409 if somebody unsubscribed the contact after it.',
    success: 'The contact, subscribed.',
  },
  unsubscribeOwnContact: {
    summary: "Unsubscribe contact in the token's workspace",
    description: "Like `unsubscribeContact`, in the token's workspace.",
    success: 'The contact, unsubscribed.',
  },
  subscribeOwnContact: {
    summary: "Subscribe contact in the token's workspace again",
    description: "Like `subscribeContact`, in the token's workspace. Without a body, no reason is recorded.",
    success: 'The contact, subscribed.',
  },
  getDomain: {
    summary: 'Get domain',
    description: 'One sending domain with the DNS records it needs.',
  },
  getDomainSummary: {
    summary: 'Summarize domains',
    description:
      'Counts the domains in each state. `healthy`: nothing is wrong. `warning`: it works, but something should be better. `pending`: not verified yet, or a change spreads. `failing`: a record or the verification failed, and someone has to act. A fault that somebody accepts does not count. `GET /v1/domains` accepts `state` to list the domains in one state. `codes` and `providers` are what `GET /v1/domain-reports` can be filtered by: the code of each current finding that is not right and not accepted, and up to 200 providers, each once whatever its letter case.',
  },
  listAddresses: {
    summary: 'List sender addresses',
    description: 'The sender addresses of all domains, each with the name and state of its domain.',
    searched: 'the first 256 characters of the address, as `news@example.com`',
    parameters: { verification: 'Only addresses with this `verification`, in any letter case.' },
  },
  checkDomain: {
    summary: 'Check DNS of a domain',
    description:
      'Queries the DNS for each record of the domain, reports what is wrong and how to fix it, and stores the verdicts. The response is a stream of JSON lines, shared between requests for half a minute.',
    success: 'A line for each record and each advice as they become known, then a line of kind `end`.',
  },
  listDomainReports: {
    summary: 'List reports of domains',
    description:
      'What the last check of each domain found, as it is stored, the worst first. `turn`, `code` and `cause` match domains of which one finding has all of them and is not accepted.',
    searched: 'the domain name',
    parameters: {
      code: 'Only domains with a finding of this code.',
      cause: 'Only domains with a finding of this cause, such as `include:spf.example.net`.',
      provider: 'Only domains of this provider, in any letter case.',
      changed_since: 'Only domains of which a check found a change at this time or later.',
    },
  },
  getDomainReport: {
    summary: 'Get report of a domain',
    description:
      'What the last check of one domain found, with each finding in full and the evidence of its first look.',
  },
  getDomainHistory: {
    summary: 'List history of a domain',
    description:
      'What the checks found about each subject, from the first look that found it to the last, newest first. Looks more than 48 hours apart are two spans, because nobody looked in between.',
    parameters: {
      subject: 'Only spans of this subject.',
      from: 'Only spans that ended at this time or later.',
      to: 'Only spans that began before this time.',
    },
  },
  listDomainChanges: {
    summary: 'List changes of domains',
    description:
      'Findings that differ from the last known one of the same subject, of all domains, newest first. The change was made between the two looks.',
    searched: 'the domain name',
    parameters: {
      from: 'Only changes found at this time or later.',
      to: 'Only changes found before this time.',
    },
  },
  updateDomain: {
    summary: 'Update domain',
    description:
      'Says whether the domain sends in bulk: receivers ask more of those that do. It is checked again soon.',
    success: 'The report of the domain.',
  },
  listIncidents: {
    summary: 'List incidents',
    description:
      'Faults of domains, newest first. `suspect`: found once, so no one was told. `open`: found again at least 10 minutes later, or 3 minutes later where all name servers say that the record is gone. `closing`: found right once. `closed`: found right again at least 10 minutes later.',
    parameters: { domain: 'Only incidents of the domain with this UUID.' },
  },
  acceptFault: {
    summary: 'Accept a fault',
    description:
      'Accepts what the last check found about one subject. The fault no longer counts, until the values found change, it becomes right, or `until`, at most 366 days ahead. Of a subject whose fault is accepted already, it replaces reason and end. If the last check found something else, the status is 409.',
    success: 'The acceptance.',
    conflicts: true,
  },
  listAcceptances: {
    summary: 'List accepted faults',
    description:
      'The acceptances that hold, newest first, each with the values that were found. `dns-check --baseline` reads a saved response.',
  },
  endAcceptance: {
    summary: 'End the acceptance of a fault',
    description: 'The fault counts again. Safe to repeat.',
    success: 'The acceptance, ended.',
  },
  listDestinations: {
    summary: 'List destinations of messages',
    description: 'The webhooks and mail addresses that get messages, newest first.',
  },
  createDestination: {
    summary: 'Create destination of messages',
    description:
      'A webhook or mail address, and what it gets: incidents of domains for which one of the rules holds, changes of contacts, a weekly digest, a daily heartbeat. Webhooks are signed after Standard Webhooks 1.0.0, with the secret in the response, which is shown only now. They must be public https addresses. A mail address must not be in a domain that is watched here.',
    success: 'The destination, and the secret of a webhook.',
  },
  updateDestination: {
    summary: 'Update destination of messages',
    description:
      'Changes the given fields; `enabled` switches it off or on. Messages of the meantime are not made up for.',
    success: 'The destination.',
  },
  removeDestination: {
    summary: 'Remove destination of messages',
    description: 'Removes it with its deliveries. What waits for it is not delivered.',
    success: 'The destination that was removed.',
  },
  rotateSecret: {
    summary: 'Rotate secret of a webhook',
    description:
      'Makes another secret, which is shown only now. The one before signs for another day, so messages are signed with both. While three sign, it is refused.',
    success: 'The destination, and the secret.',
    conflicts: true,
  },
  testDestination: {
    summary: 'Test destination of messages',
    description: 'Sends a test message at once. It is not repeated. A workspace may send ten a minute.',
    success: 'Whether it was delivered, and what the receiver responded.',
  },
  listDeliveries: {
    summary: 'List deliveries to a destination',
    description:
      'Newest first. `joined`: told with another message. `dropped`: not sent, because it was over or accepted before it was told.',
  },
  replayDelivery: {
    summary: 'Repeat delivery',
    description: 'Delivers a message once more, under the same ID. A workspace may repeat ten a minute.',
    success: 'The delivery.',
  },
  listSharedLinks: {
    summary: 'List shared links of a domain',
    description:
      'Links to a page without sign-in that shows the DNS records of the domain; newest first, with those that have ended.',
  },
  createSharedLink: {
    summary: 'Create shared link',
    description:
      'Creates a link to a page that shows the DNS records of the domain and whether they are right, without sign-in, for 7 days. The secret is in this response only: the link is the address of the service, `/shared#` and the secret. At most 20 links of a domain work at the same time. Logged, as is the first opening.',
    success: 'The link with its secret.',
    conflicts: true,
  },
  revokeSharedLink: {
    summary: 'Revoke shared link',
    description: 'Ends the link from its next request on. Safe to repeat.',
    success: 'The link, revoked.',
  },
  createContact: {
    summary: 'Create contact',
    description:
      'Creates a contact. If a contact already has this UUID or identity, the status is 409; with `upsert`, the attributes are merged into that contact, and `subscribed: false` unsubscribes it. It never subscribes a contact again. The role `ingest` gets no stored data.',
    success: 'The UUID of the contact, and whether it was created; for roles that read contacts, all its fields.',
    parameters: { upsert: 'Merges into an existing contact: `upsert` or `upsert=true`.' },
    conflicts: true,
  },
  recordEvent: {
    summary: 'Record event',
    description:
      'Records one event of a contact. Safe to repeat with a `uuid`, or with a `created_at` if everything else is the same too. `attributes` may also be JSON text.',
    success: 'Whether the event was recorded now.',
    conflicts: true,
  },
  recordEvents: {
    summary: 'Record events',
    description:
      'Records up to 1,000 events of any contacts, as a JSON array or as JSON lines (`application/x-ndjson`), at most 256 KiB and 20,000 fields, arrays and objects. Each needs a `uuid` or a `created_at`, so that you can repeat the request. Each event gets an outcome, in the order given; a refused one does not affect the others. An unreadable line is refused alone, and outcomes of lines have their numbers; an unreadable array is 400 or 422 as a whole.',
    success: 'The outcome of each event, and the count of each outcome.',
  },
  listMembers: {
    summary: 'List members',
    description: 'The people who can sign in to the workspace, with their role and where it comes from.',
    searched: 'the email or the name',
  },
  inviteMember: {
    summary: 'Invite member',
    description:
      'Lets a person sign in: the first account of the organisation with this verified email accepts the invitation. The service sends no email.',
    conflicts: true,
  },
  updateMember: {
    summary: 'Change role of member',
    description:
      "Takes effect on the person's next request. A role that comes from a group can't be changed here. Only a token can change the role of the last admin who can sign in.",
    conflicts: true,
  },
  removeMember: {
    summary: 'Remove member',
    description:
      "Takes effect on the person's next request. A member by a group returns at the next sign-in while the group has a role. Only a token can remove the last admin who can sign in. Tokens that the person created, or that were created with one of these, stay active: the response lists them so that you can revoke them.",
    success: 'The active tokens that the removed member created.',
    conflicts: true,
  },
  listTokens: {
    summary: 'List tokens',
    description: 'The access tokens of the workspace without their secrets: active ones first, newest first.',
    searched: 'the name',
  },
  createToken: {
    summary: 'Create token',
    description: 'Creates an access token. Its secret is in this response only.',
    success: 'The token with its secret.',
  },
  revokeToken: {
    summary: 'Revoke token',
    description: 'Refuses the token from its next request on, and ends its sessions. Safe to repeat.',
    success: 'The token is revoked.',
  },
  listSessions: {
    summary: 'List sessions',
    description: 'Sessions of the console, newest first: the whole workspace for an admin, your own otherwise.',
  },
  endSession: {
    summary: 'End session',
    description: 'Signs a console session out: any in the workspace for an admin, your own otherwise.',
    success: 'The session has ended.',
  },
  exportPerson: {
    summary: 'Export everything about a person',
    description:
      'One file with a contact, all its changes and all its events, as JSON or as a readable page (HTML). Events recorded while it is written may be included beyond `event_count`. The export is logged.',
    parameters: { format: '`json`, or `html` for a page to read and print. Default: `json`.' },
  },
  previewErasure: {
    summary: 'Preview the erasure of a person',
    description:
      'What erasing the contact would remove. Nothing is changed. `unclear` are audit log entries about others that contain an identity of the contact: they stay unless the request lists its value in `also`, because it may mean someone else.',
  },
  eraseContact: {
    summary: 'Erase a person',
    description:
      'Deletes a contact with its identities, its events, and its values in the audit log, whose entries stay. A keyed hash of each identity stays, so that the person is refused when someone creates or imports them again, until an admin lifts the erasure. This cannot be undone. Events become inaccessible immediately and may be deleted after the response.',
  },
  findErasure: {
    summary: 'Find an erasure',
    description: 'When the person with this identity was erased, to explain why a search finds no one.',
    success: 'The time of the erasure; null if no erasure matches this identity.',
  },
  liftErasure: {
    summary: 'Lift an erasure',
    description:
      'Accepts all identities of an erased person again, given any of them, and records the reason. Erased data is not restored.',
    success: 'Whether an erasure matched this identity.',
  },
};

export const pathParameterTexts: Readonly<Record<string, string>> = {
  contact: 'UUID of the contact, or an identity value: its email, phone or custom identity.',
  workspace: "UUID of the workspace; it must be the token's workspace.",
  domain: 'UUID of the domain.',
  identity: 'Any identity the person had.',
  member: 'UUID of the member.',
  token: 'UUID of the token.',
  session: 'UUID of the session.',
  acceptance: 'UUID of the acceptance.',
  destination: 'UUID of the destination.',
  message: 'UUID of the message.',
  link: 'UUID of the shared link.',
  run: 'UUID of the run.',
  rule: 'UUID of the rule.',
  view: 'UUID of the view.',
};

export const problemDescriptions: Readonly<Record<number | 'default', string>> = {
  400: 'The request cannot be read: a malformed path parameter, or a body that is not JSON.',
  401: 'The token is missing, malformed, unknown or revoked.',
  403: 'The token has no access: its role does not allow the operation, its workspace is suspended or has moved, or the path has another workspace.',
  404: "The token's workspace has no such resource.",
  409: 'Conflicts with existing data: another contact has this identity, another event this UUID, another member this email, it is the last admin, the last check found something else, or the destination has no secret.',
  413: 'The body is too large.',
  415: 'The operation does not accept this media type, or the body has a content coding.',
  422: 'The request is not valid; `errors` lists each field or parameter.',
  429: 'Too many requests; `Retry-After` says when to retry.',
  default: 'Any other failure, in the same shape.',
};
