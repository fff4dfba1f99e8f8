import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecret, signWebhook } from './signWebhook.ts';

// The vector of the reference implementations (github.com/standard-webhooks/standard-webhooks).
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const sign = (...secrets: { secret: string; ends_at: number | null }[]) =>
  signWebhook(VECTOR.id, VECTOR.body, secrets, VECTOR.timestamp * 1000 + 999);

test('signs as the vector of Standard Webhooks says', () => {
  expect(sign({ secret: VECTOR.secret, ends_at: null })).toEqual({
    'webhook-id': VECTOR.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': VECTOR.signature,
  });
});

test('signs with both secrets, separated by a space, until the old one ends', () => {
  const now = VECTOR.timestamp * 1000 + 999;
  const other = createSecret();
  const key = Buffer.from(other.replace('whsec_', ''), 'base64');
  const hash = createHmac('sha256', key).update(`${VECTOR.id}.1614265330.${VECTOR.body}`).digest('base64');
  const signatures = (ends_at: number) =>
    sign({ secret: other, ends_at: null }, { secret: VECTOR.secret, ends_at })['webhook-signature'];
  expect(signatures(now + 1)).toBe(`v1,${hash} ${VECTOR.signature}`);
  expect(signatures(now)).toBe(`v1,${hash}`);
});

test('a secret has 24 to 64 random bytes', () => {
  const bytes = Buffer.from(createSecret().slice('whsec_'.length), 'base64');
  expect(createSecret()).toMatch(/^whsec_[\d+/=A-Za-z]+$/);
  expect(bytes.length).toBeGreaterThanOrEqual(24);
  expect(bytes.length).toBeLessThanOrEqual(64);
  expect(createSecret()).not.toBe(createSecret());
});
