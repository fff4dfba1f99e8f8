import { describe, expect, test } from 'vitest';
import { parseList } from './parseList.ts';
import { readInput } from './readInput.ts';

describe('a vCard (RFC 6350)', () => {
  const CARDS = `BEGIN:VCARD
VERSION:3.0
N:Smith;Bob;;;
EMAIL;TYPE=INTERNET,WORK:bob@corp.test
TEL;TYPE=CELL:+1 415 555 0123
NOTE:Recommended by doe@example.com
UID:urn:uuid:7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d
END:VCARD
BEGIN:VCARD
VERSION:4.0
item1.EMAIL;PREF=1;X-A="a:b;c":alice@cor
 p.test
TEL;VALUE=uri:tel:+1-415-555-0124
RELATED;TYPE=contact:mailto:doe@example.com
END:VCARD
`;

  test.each(['\n', '\r\n'])('is its emails and phone numbers: lines end with %j', async (end) => {
    const text = CARDS.replaceAll('\n', end);
    for (const input of [text, new File([text], 'cards.vcf')]) {
      const entries = await parseList(await readInput(input, 'customer_id', () => {}), 'customer_id');
      expect(entries.map(({ source, values }) => `${source}: ${values[0]}`)).toEqual([
        'Email: bob@corp.test',
        'Phone: +1 415 555 0123',
        'Email: alice@corp.test',
        'Phone: +1-415-555-0124',
      ]);
    }
  });

  test('with neither is refused with a sentence', async () => {
    await expect(
      readInput('BEGIN:VCARD\nVERSION:3.0\nFN:Bob\nNOTE:doe@example.com\nEND:VCARD', null, () => {}),
    ).rejects.toThrow('This vCard has no email and no phone number in it.');
  });
});
