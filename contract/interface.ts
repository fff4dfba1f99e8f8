import { Contact, ContactChange, ContactWithProvider, ReadableContact } from './contact.ts';
import { Domain, ReadableDomain, ReadableSenderAddress, SenderAddress } from './domains/domain.ts';
import { dataOf, type Endpoint, type Operation } from '#contract/openapi/endpoint.ts';
import { Event, ReadableEvent } from './event.ts';
import { pageOf } from './list.ts';

// The five operations of the interface (docs/interface.md, 4).

export const updateContact = {
  id: 'updateContact',
  method: 'POST',
  path: '/v1/contacts/{contact}',
  body: ContactChange,
  result: Contact,
  reading: ReadableContact,
} as const satisfies Endpoint;

export const unsubscribeContact = {
  id: 'unsubscribeContact',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/contacts/{contact}/unsubscribe',
  ...dataOf(ContactWithProvider, ReadableContact),
} as const satisfies Endpoint;

export const listContactEvents = {
  id: 'listContactEvents',
  method: 'GET',
  path: '/v1/contacts/{contact}/events',
  list: { search: true, sortable: ['created_at', 'event_name'] },
  ...pageOf(Event, ReadableEvent),
} as const satisfies Endpoint;

export const listDomains = {
  id: 'listDomains',
  method: 'GET',
  path: '/v1/domains',
  list: {
    search: true,
    // Every column that holds one value.
    sortable: Object.keys(Domain.shape).filter((column) => column !== 'dns'),
  },
  ...pageOf(Domain, ReadableDomain),
} as const satisfies Endpoint;

export const listDomainAddresses = {
  id: 'listDomainAddresses',
  method: 'GET',
  path: '/v1/domains/{domain}/addresses',
  list: { sortable: [] },
  ...pageOf(SenderAddress, ReadableSenderAddress),
} as const satisfies Endpoint;

export const operations: readonly Operation[] = [
  updateContact,
  unsubscribeContact,
  listContactEvents,
  listDomains,
  listDomainAddresses,
];
