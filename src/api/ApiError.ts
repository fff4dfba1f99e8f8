import type { FieldError } from '#contract/list.ts';

/** `input`: nothing was sent. `network`, `timeout`: no response. `unreadable`: a response that doesn't match the interface. */
type ApiErrorKind = 'input' | 'network' | 'timeout' | 'status' | 'unreadable';

type Details = {
  status?: number;
  /** In seconds. */
  retryAfter?: number;
  requestId?: string;
  fields?: FieldError[];
};

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly fields: FieldError[];

  constructor(kind: ApiErrorKind, message: string, details: Details = {}) {
    super(message);
    this.kind = kind;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId;
    this.fields = details.fields ?? [];
  }

  get isTransient(): boolean {
    return this.kind === 'network' || this.kind === 'timeout' || isTransientStatus(this.status);
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** A form's sentences for the fields of this error; null if it has none, or not for all. */
export function describeFields<Sentences extends Readonly<Record<string, string>>>(
  error: unknown,
  sentences: Sentences,
): Partial<Sentences> | null {
  const names = error instanceof ApiError ? error.fields.map(({ field }) => field) : [];
  if (names.length === 0 || !names.every((name) => Object.hasOwn(sentences, name))) return null;
  return Object.fromEntries(names.map((name) => [name, sentences[name]])) as Partial<Sentences>;
}

function isTransientStatus(status = 0): boolean {
  return status === 408 || status === 429 || status >= 500;
}

export function errorTitle(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something on this page failed';
  switch (error.kind) {
    case 'input':
      return 'This can’t be looked up';
    case 'network':
      return 'No response from the service';
    case 'timeout':
      return 'The service took too long';
    case 'unreadable':
      return 'Unreadable response';
    case 'status':
      return statusTitle(error.status ?? 0);
  }
}

function statusTitle(status: number): string {
  if (status === 401) return 'Not signed in';
  if (status === 403) return 'No access';
  if (status === 404) return 'Not found';
  if (status === 429) return 'Too many requests';
  if (status >= 500) return 'The service failed';
  return 'The service refused this';
}

const NO_CONTACT = 'There is no such contact in this workspace.';
const NO_DOMAIN = 'There is no such domain in this workspace.';
const NO_DESTINATION = 'This destination was removed.';

/** Messages for statuses with a specific meaning for the operation. */
const MESSAGES: Record<string, Record<number, string>> = {
  listContactEvents: { 404: NO_CONTACT },
  getContact: { 404: NO_CONTACT },
  updateContact: {
    404: `${NO_CONTACT} Nothing was changed.`,
    409: 'Another contact already has this email, phone or identity. Nothing was changed.',
  },
  unsubscribeContact: { 404: `${NO_CONTACT} Nothing was changed.` },
  listContactChanges: { 404: NO_CONTACT },
  subscribeContact: { 404: `${NO_CONTACT} Nothing was changed.` },
  listDomainAddresses: { 404: NO_DOMAIN },
  checkDomain: { 404: NO_DOMAIN },
  updateDestination: { 404: NO_DESTINATION },
  rotateSecret: { 404: NO_DESTINATION },
  testDestination: { 404: NO_DESTINATION },
  listDeliveries: { 404: NO_DESTINATION },
  replayDelivery: { 404: 'This delivery was deleted.' },
  signIn: {
    401: 'The service refused the token. It may be mistyped or revoked.',
    403: 'This token is valid but can’t be used to sign in.',
    404: 'This address does not offer sign-in. Is it a Sendroom service?',
  },
  signInByLink: {
    401: 'This link has already been used or has expired. Each start of the service prints a new one.',
  },
};

const GENERAL: Record<number, string> = {
  401: 'Your session ended. Sign in to continue.',
  403: 'The service does not allow this.',
  404: 'The service has nothing at this address.',
  413: 'This is more than the service accepts at once.',
  429: 'The service asked to slow down.',
};

/** The message for an error status, with at most 300 characters of the service's own. */
export function describeStatus(operation: string, status: number, serviceMessage: string | undefined): string {
  const ours =
    MESSAGES[operation]?.[status] ??
    GENERAL[status] ??
    (status >= 500 ? `The service could not do this (${status}).` : undefined);
  const quoted = serviceMessage?.slice(0, 300);
  if (ours === undefined) return quoted ?? `The service responded with status ${status}.`;
  return quoted === undefined || status === 401 || status === 404 ? ours : `${ours} It says: ${quoted}`;
}
