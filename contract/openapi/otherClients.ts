import * as z from 'zod/mini';
import { Resubscription, subscribeContact } from '#contract/change.ts';
import { Domain, ReadableDomain } from '#contract/domains/domain.ts';
import { dataOf, type Endpoint } from './endpoint.ts';
import { Attributes } from '#contract/values/field.ts';
import { updateContact } from '#contract/interface.ts';
import { explainedUnsubscribe } from '#contract/suppressions/suppression.ts';

// What other clients of the interface call (docs/gaps.md), apart from the console.

/** With additions, `subscribed` is enough. */
export const ContactUpdate = z
  .strictObject({ attributes: z.optional(Attributes), subscribed: z.optional(z.boolean()) })
  .check(
    z.refine(({ attributes, subscribed }) => attributes !== undefined || subscribed !== undefined, {
      path: ['attributes'],
      params: { sentence: 'is missing.' },
    }),
  );

const OwnResubscription = z.partial(Resubscription, { reason: true });

/** `explainedUnsubscribe` in the token's workspace. */
export const unsubscribeOwnContact = {
  ...explainedUnsubscribe,
  id: 'unsubscribeOwnContact',
  path: '/v1/contacts/{contact}/unsubscribe',
} as const satisfies Endpoint;

/** `subscribeContact` in the token's workspace. Other clients send no reason. */
export const subscribeOwnContact = {
  id: 'subscribeOwnContact',
  method: 'POST',
  path: '/v1/contacts/{contact}/subscribe',
  body: z.optional(OwnResubscription),
  result: subscribeContact.result,
  reading: subscribeContact.reading,
} as const satisfies Endpoint;

export const getDomain = {
  id: 'getDomain',
  method: 'GET',
  path: '/v1/domains/{domain}',
  ...dataOf(Domain, ReadableDomain),
} as const satisfies Endpoint;

/** `updateContact` with additions: it can unsubscribe too. */
export const updateSubscribedContact = { ...updateContact, body: ContactUpdate } as const satisfies Endpoint;
