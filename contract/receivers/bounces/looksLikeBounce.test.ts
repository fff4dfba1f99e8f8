import { expect, test } from 'vitest';
import { looksLikeBounce } from './looksLikeBounce.ts';

test.each([
  ['550 5.7.26 This mail has been blocked because the sender is unauthenticated.', true],
  ['550-5.7.26 This mail has been blocked', true],
  ['smtp; 421 4.7.28 Gmail has detected an unusual rate', true],
  ['host mx1.example said: 554 Service unavailable', true],
  ['Remote server returned 550 mailbox unavailable', true],
  ['Status: 5.1.1', true],
  ['552 Requested mail action aborted', true],
  ['Grace Hopper', false],
  ['grace@example.com', false],
  ['+49 550 123456', false],
  ['550 1234567', false],
  ['192.0.2.55 4.5.6.7', false],
  ['version 5.7.26.1', false],
  ['order 4550 Main Street', false],
  ['200 OK', false],
  ['', false],
])('%j: %j', (text, expected) => expect(looksLikeBounce(text)).toBe(expected));
