import type { FieldError } from '#contract/list.ts';

/**
 * `input`: nothing was sent. `network`, `timeout`: no response of the service. `status`: a response with an error
 * status. `unreadable`: a response that does not match the interface.
 */
type ApiErrorKind = 'input' | 'network' | 'timeout' | 'status' | 'unreadable';

type Details = {
  status?: number;
  /** The `Retry-After` of the response, in seconds. */
  retryAfter?: number;
  requestId?: string;
  fields?: FieldError[];
};

/** Every failure of a request. `message` is a sentence for the user. */
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

  /** Whether a retry may succeed. */
  get isTransient(): boolean {
    return this.kind === 'network' || this.kind === 'timeout' || isTransientStatus(this.status);
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** What a form says at its fields of this error: a sentence for each; null where it has none, or not for all fields. */
export function sayAtFields<Sentences extends Readonly<Record<string, string>>>(
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
  if (!(error instanceof ApiError)) return 'Something in this page failed';
  switch (error.kind) {
    case 'input':
      return 'This cannot be looked up';
    case 'network':
      return 'No answer from the service';
    case 'timeout':
      return 'The service took too long';
    case 'unreadable':
      return 'Unreadable answer';
    case 'status':
      return statusTitle(error.status ?? 0);
  }
}

function statusTitle(status: number): string {
  if (status === 401) return 'Not signed in';
  if (status === 403) return 'No access';
  if (status === 404) return 'Not found';
  if (status === 409) return 'Already taken';
  if (status === 429) return 'Too many requests';
  if (status >= 500) return 'The service failed';
  return 'The service refused this';
}

/** Messages by operation and status, where the status has a meaning of its own for the operation. */
const WORDS: Record<string, Record<number, string>> = {
  listContactEvents: {
    404: 'There is no such contact in this workspace.',
  },
  getContact: { 404: 'There is no such contact in this workspace.' },
  updateContact: {
    404: 'There is no such contact in this workspace. Nothing was changed.',
    409: 'Another contact already has this email, phone or identity. Nothing was changed.',
  },
  unsubscribeContact: {
    404: 'There is no such contact in this workspace. Nobody was unsubscribed.',
  },
  listContactChanges: { 404: 'There is no such contact in this workspace.' },
  subscribeContact: {
    404: 'There is no such contact in this workspace. Nobody was subscribed.',
  },
  listDomainAddresses: { 404: 'There is no such domain in this workspace.' },
  checkDomain: { 404: 'There is no such domain in this workspace.' },
  signIn: {
    401: 'The service does not accept this. The token may be mistyped or revoked.',
    403: 'The token is right, but it signs nobody in here.',
    404: 'This address does not offer sign-in. Is it a Sendroom service?',
  },
  signInByLink: {
    401: 'This sign-in link was used before, or its 15 minutes are over. Every start of the service prints a new one.',
  },
};

const GENERAL: Record<number, string> = {
  401: 'Your session ended. Sign in to continue.',
  403: 'The service does not allow this.',
  404: 'The service has nothing at this address.',
  413: 'This is more than the service accepts at once.',
  429: 'The service asks us to slow down.',
};

/** The message for an error status. A message of the service is quoted after ours, cut to 300 characters. */
export function describeStatus(operation: string, status: number, serviceMessage: string | undefined): string {
  const ours =
    WORDS[operation]?.[status] ??
    GENERAL[status] ??
    (status >= 500 ? `The service could not do this (${status}).` : undefined);
  const quoted = serviceMessage?.slice(0, 300);
  if (ours === undefined) return quoted ?? `The service answered with status ${status}.`;
  return quoted === undefined || status === 401 || status === 404 ? ours : `${ours} It says: ${quoted}`;
}
