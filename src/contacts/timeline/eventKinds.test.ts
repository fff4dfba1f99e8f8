import { expect, test } from 'vitest';
import { type EventKind, kindOf } from './eventKinds.ts';

test.each<[EventKind, string[]]>([
  ['delivered', ['email_delivered', 'delivered', 'Email Sent', 'message.send', 'EMAIL_SENT']],
  ['opened', ['email_opened', 'opened', 'emailOpened', 'Newsletter opened', 'open', 'unique_opens']],
  ['clicked', ['email_clicked', 'link clicked', 'Click']],
  ['failed', ['email_bounced', 'hard_bounce', 'delivery_failed', 'email_complained', 'payment_failed', 'Spam Report']],
  // The word is there, and is about something else.
  [
    'other',
    ['support_ticket_opened', 'invoice_sent', 'page_viewed', 'readiness', 'データ同期', '', '100%', 'sender_added'],
  ],
])('%s: %j', (kind, names) => {
  expect(names.map((name) => [name, kindOf(name)])).toEqual(names.map((name) => [name, kind]));
});
