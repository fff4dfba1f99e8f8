import type { CHOSEN_USES } from '#contract/runs/runs.ts';
import type { SuppressionReason } from '#contract/suppressions/suppression.ts';
import type { DateOrder } from './sourceTime.ts';

// What the files are that email providers export, and we ourselves, as data.

export const PROVIDERS = [
  'mailchimp',
  'hubspot',
  'customerio',
  'brevo',
  'sendgrid',
  'ses',
  'postmark',
  'mailgun',
  'sendroom',
] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Why somebody is unsubscribed; `unknown` if nobody said. */
export type Why = SuppressionReason | 'unknown';

/** What a column may be chosen for, besides an attribute. */
export type ChosenUse = (typeof CHOSEN_USES)[number];

/** Where the cells of a column go. Values are in small letters. */
export type Target =
  | 'nowhere'
  | 'uuid'
  | 'created_at'
  | 'updated_at'
  /** When the contact was unsubscribed. */
  | 'since'
  /** The same, of a column that somebody chose. `unsubscribes`: where it isn't empty, because no other column says who is. */
  | { dateOrder: DateOrder | null; unsubscribes: boolean }
  | { attribute: string }
  /** All attributes, as a JSON object. Columns of an attribute that say something else count. */
  | 'attributes'
  /** Whether the contact is subscribed, by value; `why` not, unless another column says it. */
  | { subscribed: Readonly<Record<string, boolean>>; why: Why }
  /**
   * Why the contact is unsubscribed, by value. Of several columns the first in the description counts. `otherwise`: for other values, with a
   * doubt. `keptAs` as below.
   */
  | { reason: Readonly<Record<string, SuppressionReason>>; otherwise?: SuppressionReason; keptAs?: string }
  /** Unsubscribes for this reason where it isn't empty, unless another column says why. `keptAs`: the attribute for its text. */
  | { filled: SuppressionReason; keptAs: string }
  /** Of values with commas between, perhaps as JSON, one of these, or none at all; other values refuse the row with the sentence. */
  | { accepts: readonly string[]; otherwise: string };

export type FileKind = {
  provider: Provider;
  /** What `--kind` calls it. */
  name: string;
  title: string;
  /** Where its columns were seen, and on which day. */
  sources: readonly string[];
  seen: string;
  /** Columns by which it's recognised, in small letters; parts of objects as `reason.code`. */
  has: readonly string[];
  hasNot?: readonly string[];
  /**
   * Columns, or the name of the list in JSON, in small letters, of which one makes it certain, because no other file has it. Without them
   * a file with its columns may as well be any list, so somebody has to say what it is.
   */
  distinctive?: readonly string[];
  /** In JSON: the list in the document, and a field of the document with its value. */
  list?: string;
  marked?: readonly [field: string, value: string];
  columns: Readonly<Record<string, Target>>;
  /** Where columns that aren't described go. */
  others: 'attributes' | 'nowhere';
  /** If everybody in it is unsubscribed: why, unless a column says it. */
  suppressed?: Why;
  /** Why it can't be imported. */
  refusal?: string;
};
