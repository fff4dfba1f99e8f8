import { type Answer, encode } from 'dns-packet';
import { expect, test } from 'vitest';
import { readEscapedNames } from './escapedNames.ts';
import { decodeResponse, type Query } from './message.ts';

const QUERY: Query = { name: 'k1.example.test', type: 'CNAME', isRecursive: true };

/** A response whose records lead to "a.b.test", with one byte of each name changed. */
function packet(answers: Answer[], change: (bytes: Buffer) => Buffer = (bytes) => bytes): Buffer {
  return change(encode({ type: 'response', id: 1, questions: [{ type: 'CNAME', name: QUERY.name }], answers }));
}

const cname = (data: string): Answer => ({ type: 'CNAME', name: QUERY.name, ttl: 60, data });

/** One label of nine bytes instead of two of four bytes. */
function joined(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(Buffer.from([4, ...Buffer.from('left'), 5, ...Buffer.from('right')]));
  bytes[at] = 10;
  bytes[at + 5] = '.'.charCodeAt(0);
  return bytes;
}

test('a dot in a label is none between labels', () => {
  const bytes = packet([cname('left.right.test')], joined);
  expect([...readEscapedNames(bytes)]).toEqual([[0, String.raw`left\.right.test`]]);
  expect(decodeResponse(bytes, 1, QUERY)?.answers[0]?.value).toBe(String.raw`left\.right.test`);
});

test('what cannot be read holds nothing', () => {
  const bytes = packet([cname('left.right.test')], joined);
  for (let length = 12; length < bytes.length; length++)
    expect(readEscapedNames(bytes.subarray(0, length)).size).toBe(0);
});
