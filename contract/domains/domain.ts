import * as z from 'zod/mini';
import { toReadableSchema, Timestamp, Uuid } from '#contract/values/field.ts';

/** DNS record: element of Domain.dns (docs/interface.md, 2). */
export const DnsRecord = z.strictObject({
  type: z.string(),
  name: z.string(),
  value: z.string(),
  is_valid: z.boolean(),
});
export type DnsRecord = z.infer<typeof DnsRecord>;

/** Domain: sending domain (docs/interface.md, 2). */
export const Domain = z.strictObject({
  uuid: Uuid,
  name: z.string(),
  domain: z.string(),
  verified: z.boolean(),
  provider: z.string(),
  status: z.string(),
  verification: z.string(),
  mail_from_domain: z.string(),
  mail_from_verified: z.boolean(),
  dns: z.array(DnsRecord),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Domain = z.infer<typeof Domain>;

/** Sender address of a domain (docs/interface.md, 2). */
export const SenderAddress = z.strictObject({
  uuid: Uuid,
  domain_uuid: Uuid,
  address: z.string(),
  full_address: z.string(),
  provider: z.string(),
  display_name: z.string(),
  verification: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type SenderAddress = z.infer<typeof SenderAddress>;

export const ReadableDnsRecord = toReadableSchema(DnsRecord, []);
export type ReadableDnsRecord = z.infer<typeof ReadableDnsRecord>;

export const ReadableDomain = toReadableSchema(z.strictObject({ ...Domain.shape, dns: z.array(ReadableDnsRecord) }), [
  'uuid',
  'name',
]);
export type ReadableDomain = z.infer<typeof ReadableDomain>;

export const ReadableSenderAddress = toReadableSchema(SenderAddress, ['uuid']);
export type ReadableSenderAddress = z.infer<typeof ReadableSenderAddress>;
