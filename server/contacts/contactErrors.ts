import type { FieldError } from '#contract/list.ts';
import type { StrongReason } from '#contract/suppressions/suppression.ts';

/** Attributes that no contact may have. Nothing was changed. */
export class InvalidAttributesError extends Error {
  override readonly name = 'InvalidAttributesError';
  readonly errors: FieldError[];

  constructor(errors: FieldError[]) {
    super(errors.map((error) => error.message).join(' '));
    this.errors = errors;
  }
}

/** An identity that another contact of the workspace has already. Nothing was changed. */
export class IdentityTakenError extends Error {
  override readonly name = 'IdentityTakenError';
  /** As in the errors of fields: `attributes.email`, or `uuid`. */
  readonly field: string;

  constructor(field: string) {
    super(`Another contact of this workspace already has this ${field.replace(/^attributes\./, '')}.`);
    this.field = field;
  }
}

const BECAUSE: Readonly<Record<StrongReason, string>> = {
  complaint: 'This contact complained about spam.',
  legal: 'This contact is unsubscribed for a legal reason.',
};

/** Of an admin who subscribes a contact again that is unsubscribed for a strong reason, and doesn't say why. */
export const missingReason = (reason: StrongReason): FieldError => ({
  field: 'reason',
  message: `${BECAUSE[reason]} Give a reason to subscribe it again.`,
});

/** A contact that is unsubscribed for a strong reason is not subscribed again by just anybody. Nothing was changed. */
export class StrongReasonError extends Error {
  override readonly name = 'StrongReasonError';

  constructor(reason: StrongReason) {
    super(`${BECAUSE[reason]} Only an admin can subscribe it again, and must give a reason.`);
  }
}

/** Somebody unsubscribed the contact since the caller looked. Nothing was changed. */
export class UnseenUnsubscribeError extends Error {
  override readonly name = 'UnseenUnsubscribeError';
  override readonly message =
    'Somebody unsubscribed this contact since you looked. See why before you subscribe it again.';
}

/** An event that cannot be recorded. Nothing was changed. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  readonly errors: FieldError[];

  constructor(errors: FieldError[]) {
    super(errors.map((error) => error.message).join(' '));
    this.errors = errors;
  }
}

/** An event whose UUID an event of another contact has. Nothing was changed. */
export class EventTakenError extends Error {
  override readonly name = 'EventTakenError';
  readonly error: FieldError;

  constructor(error: FieldError) {
    super(error.message);
    this.error = error;
  }
}
