import { expect, test } from 'vitest';
import { readContext } from './bounceContext.ts';

test.each([
  ['550 5.7.515 Access denied, sending domain example.com does not meet the required level.', 'example.com'],
  ['550; 5.7.515 Access denied, sending domain [mail.example.com] does', 'mail.example.com'],
  ['From: Jane <jane@news.example.com>\nTo: joe@gmail.com\n\n550 5.7.26 blocked', 'news.example.com'],
  ['Return-Path: <bounce+1@bounce.example.com>', 'bounce.example.com'],
  ['postfix/smtp: to=<a@gmail.com>, from=<x@example.com>, status=bounced', 'example.com'],
  ['550-5.7.26 DKIM = did not pass 550-5.7.26 SPF [bounce.example.com] with ip: [192.0.2.1]', 'bounce.example.com'],
  ['550 5.7.26 The MAIL FROM domain [bounce.example.com] has an SPF record with a hard fail', 'bounce.example.com'],
  ['X-Postfix-Sender: rfc822; news@bounce.example.com', 'bounce.example.com'],
  // Which of these sends isn't said.
  ['550 5.7.26 example.com and example.net failed', null],
  ['550 5.7.1 Unable to relay', null],
])('the sending domain of %j is %j', (text, domain) => expect(readContext(text).domain).toBe(domain));

test.each([
  [
    'Arrival-Date: Mon, 1 Jun 2026 10:12:00 +0200\nLast-Attempt-Date: Mon, 1 Jun 2026 10:13:05 +0200',
    '2026-06-01T08:13:05.000Z',
  ],
  ['Date: Mon, 1 Jun 2026 10:12:00 +0000 (UTC)', '2026-06-01T10:12:00.000Z'],
  ['2026-06-01T10:12:01.500Z relay said: 550 5.7.1 no', '2026-06-01T10:12:01.500Z'],
  // No zone, or no year: nobody knows when.
  ['Date: Mon, 1 Jun 2026 10:12:00', null],
  ['Jun  1 10:12:01 mx postfix/smtp[1]: 550 5.7.1 no', null],
  ['Date: +0000 someday soon +0000', null],
  ['550 5.7.1 no', null],
])('the time of %j is %j', (text, at) => expect(readContext(text).at).toBe(at));
