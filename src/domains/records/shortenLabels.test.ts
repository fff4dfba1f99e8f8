import { expect, test } from 'vitest';
import { shortenLabels } from './shortenLabels.ts';

test.each([
  ['Nothing exists at mail.example.com.', 'Nothing exists at mail.example.com.'],
  [
    'cce0e35d8e774cef942f18ca876d68e7._domainkey.mail.example.com is gone.',
    'cce0e3…68e7._domainkey.mail.example.com is gone.',
  ],
  ['The key is MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIB+x.', 'The key is MIIBIj…MIIB+x.'],
  ['a-name-of-24-characters1.example', 'a-name-of-24-characters1.example'],
])('%s', (sentence, short) => expect(shortenLabels(sentence)).toBe(short));
