import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ReadableContact } from '#contract/contact.ts';
import { ReadableDomain, ReadableSenderAddress } from '#contract/domains/domain.ts';
import { ReadableEvent } from '#contract/event.ts';
import { toReadableSchema, Timestamp, Uuid } from './field.ts';

describe('a field our service writes', () => {
  test.each(['2025-01-31T12:00:00Z', '2025-01-31T12:00:00.1234Z', '2025-01-31T12:00:00.123+00:00', '2025-01-31'])(
    '%s is no timestamp',
    (text) => {
      expect(z.safeParse(Timestamp, text).success).toBe(false);
    },
  );

  test('has times in UTC with milliseconds and ids of UUID form', () => {
    expect(z.parse(Timestamp, new Date(0).toISOString())).toBe('1970-01-01T00:00:00.000Z');
    expect(z.safeParse(Uuid, '0195b3a8-0000-7000-8000-00000000000A').success).toBe(true);
    expect(z.safeParse(Uuid, '0195b3a8-0000-7000-8000-00000000000g').success).toBe(false);
  });
});

describe('reading', () => {
  test('drops unknown keys and takes ids and times as any text', () => {
    const event = { uuid: 'evt_1', event_name: 'opened', attributes: {}, created_at: '2025-01-31', extra: 1 };
    const { extra: _, ...known } = event;
    expect(z.parse(ReadableEvent, event)).toEqual(known);
    const Token = z.strictObject({ uuid: z.nullable(Uuid), revoked_at: z.nullable(Timestamp) });
    const read = { uuid: 'tok_1', revoked_at: '2025-01-31' };
    expect(z.parse(toReadableSchema(Token, ['uuid']), read)).toEqual(read);
    expect(z.parse(toReadableSchema(Token, ['uuid']), { uuid: null })).toEqual({ uuid: null, revoked_at: null });
  });

  test('makes null of what is missing, null or of another type', () => {
    expect(z.parse(ReadableContact, { uuid: 'c', subscribed: true, attributes: null, created_at: 12 })).toEqual({
      uuid: 'c',
      subscribed: true,
      attributes: null,
      created_at: null,
      updated_at: null,
      provider: null,
    });
  });

  test('insists on what the resource means nothing without', () => {
    expect(z.safeParse(ReadableContact, { uuid: 'c' }).success).toBe(false);
    expect(z.safeParse(ReadableDomain, { uuid: 'd' }).success).toBe(false);
    expect(z.safeParse(ReadableSenderAddress, { uuid: null }).success).toBe(false);
  });

  test('one unreadable DNS record does not hide the others', () => {
    const good = { type: 'MX', name: 'a.test', value: '10 b.test', is_valid: true };
    const odd = { type: 'CAA', name: 'a.test', value: ['0 issue'], is_valid: 'yes' };
    expect(z.parse(ReadableDomain, { uuid: 'd', name: 'a.test', dns: [good, odd] }).dns).toEqual([
      good,
      { type: 'CAA', name: 'a.test', value: null, is_valid: null },
    ]);
  });

  test('never throws on a resource that has its essentials', () => {
    const Thing = z.strictObject({ uuid: Uuid, at: Timestamp, count: z.number(), tags: z.array(z.string()) });
    fc.assert(
      fc.property(fc.string(), fc.anything(), fc.anything(), fc.anything(), (uuid, at, count, tags) => {
        const thing = z.parse(toReadableSchema(Thing, ['uuid']), { uuid, at, count, tags });
        expect(Object.keys(thing).toSorted()).toEqual(['at', 'count', 'tags', 'uuid']);
        expect(thing.uuid).toBe(uuid);
      }),
    );
  });
});
