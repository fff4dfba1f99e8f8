import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readKeyMaterial } from './readKeyMaterial.ts';
import { pkcs1, RSA_1024, RSA_2048, RSA_768, RSA_8192, spki } from '../../testing/testKeys.ts';

const DSA = '2a8648ce380401';
const RSA = '2a864886f70d010101';
const ZERO = value(0x02, Buffer.of(0));

/** One value in DER (X.690, section 8.1). */
function value(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

/** A random odd number of so many bytes. */
function number(bytes: number): Buffer {
  const digits = randomBytes(bytes);
  digits[0] = 0x40;
  digits[bytes - 1] = 1;
  return value(0x02, digits);
}

function algorithm(identifier: string, ...parameters: readonly Buffer[]): Buffer {
  return value(0x30, value(0x06, Buffer.from(identifier, 'hex')), ...parameters);
}

function publicRsa(bytes: number, exponent = value(0x02, Buffer.of(1, 0, 1))): Buffer {
  const key = value(0x30, number(bytes), exponent);
  return value(0x30, algorithm(RSA, value(0x05)), value(0x03, Buffer.of(0), key));
}

const DSA_NUMBERS = value(0x30, number(2000), number(32), number(1999));

// A hundred of them: OpenSSL would raise one such number to the power of another one to import the key.
test.each([
  ['private DSA', value(0x30, ZERO, algorithm(DSA, DSA_NUMBERS), value(4, number(1998))), 'private'],
  ['public DSA', value(0x30, algorithm(DSA, DSA_NUMBERS), value(3, Buffer.of(0), number(1499))), 'broken'],
  ['public RSA of 40,000 bits', publicRsa(5000), 'broken'],
  ['public RSA with a long exponent', publicRsa(2000, number(2000)), 'public'],
  ['nothing but sequences', Buffer.alloc(6000, 0x30), 'broken'],
  ['nothing but zeros', Buffer.alloc(6000), 'broken'],
])('%s: %#', (_, key, state) => {
  const written = key.toString('base64');
  for (let times = 0; times < 100; times++) expect(readKeyMaterial('rsa', written).state).toBe(state);
});

test('more bits than receivers can use are said', () => {
  const judged = readKeyMaterial('rsa', publicRsa(5000).toString('base64'));
  expect(judged).toEqual({ state: 'broken', why: 'it has 39999 bits, which is more than receivers can use' });
});

test('a modulus or an exponent that is even is of no RSA key', () => {
  const even = publicRsa(256, value(0x02, Buffer.of(2))).toString('base64');
  expect(readKeyMaterial('rsa', even)).toMatchObject({ state: 'broken' });
});

test.each([RSA_768, RSA_1024, RSA_2048, RSA_8192])(
  'an RSA key has as many bits as OpenSSL says, in each form',
  (key) => {
    const bits = key.publicKey.asymmetricKeyDetails?.modulusLength;
    const [one, other] = [spki(key), pkcs1(key)].map((written) => readKeyMaterial('rsa', written));
    expect(one).toMatchObject({ state: 'public', bits });
    expect(other).toEqual({ ...one, isPkcs1: true });
  },
);

// Receivers reject all of these, although modulus and exponent are at the right places.
test.each([
  ['more unused bits than a byte has', (bytes: Buffer) => bytes.writeUInt8(8, 21)],
  ['a key that says to be of DSA', (bytes: Buffer) => bytes.writeUInt8(4, 15)],
  ['a length of no fixed number of bytes', (bytes: Buffer) => bytes.writeUInt8(0x80, 1)],
])('%s', (_, spoil) => {
  const bytes = Buffer.from(spki(RSA_1024), 'base64');
  spoil(bytes);
  expect(readKeyMaterial('rsa', bytes.toString('base64')).state).toBe('broken');
});

test('no bytes end it', () => {
  const right = Buffer.from(spki(RSA_1024), 'base64');
  fc.assert(
    fc.property(fc.nat(right.length - 1), fc.nat(255), fc.nat(right.length), (at, byte, length) => {
      const bytes = Buffer.from(right);
      bytes[at] = byte;
      for (const kind of ['rsa', 'ed25519']) {
        expect(readKeyMaterial(kind, bytes.subarray(0, length).toString('base64')).state).toMatch(/^[a-z]+$/);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a cut key is said to be cut, however early', () => {
  const whole = Buffer.from(spki(RSA_2048), 'base64');
  for (const bytes of [2, 3, 5, 10, 20, 30, 100, whole.length - 1]) {
    const judged = readKeyMaterial('rsa', whole.subarray(0, bytes).toString('base64'));
    expect(judged).toEqual({ state: 'broken', why: 'its end is missing' });
  }
});

test('32 bytes are an Ed25519 key, whatever they begin with', () => {
  for (const start of ['30203020a0', '3020020100', '3082']) {
    const key = Buffer.concat([Buffer.from(start, 'hex'), randomBytes(32)]).subarray(0, 32);
    expect(readKeyMaterial('ed25519', key.toString('base64'))).toMatchObject({ state: 'public', bits: 256 });
  }
});
