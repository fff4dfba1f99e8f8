import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { additions } from './allAdditions.ts';
import type { Endpoint } from './endpoint.ts';
import { findGaps } from './gaps.ts';
import { listContactEvents, operations, unsubscribeContact } from '#contract/interface.ts';
import { openApi } from './openapi.ts';

type Operation = {
  operationId: string;
  tags: string[];
  requestBody?: unknown;
  parameters?: { name: string; in: string; style?: string; explode?: boolean; schema: { type: string } }[];
  responses: Record<string, unknown>;
  'x-addition'?: boolean;
  'x-not-shown'?: { silent: string }[];
};
type Document = { paths: Record<string, Record<string, Operation>> };

const whole = openApi({ additions, hasRoles: true }) as unknown as Document;
const bare = openApi({ additions: [], hasRoles: false }) as unknown as Document;

function operationIn(document: Document, endpoint: Endpoint): Operation | undefined {
  return document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
}

function idsIn(document: Document): string[] {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods).map((it) => it.operationId));
}

test.each([
  ['with additions', additions],
  ['bare', []],
])('the document %s is valid OpenAPI 3.1', async (_, additions) => {
  const result = await new Validator().validate(structuredClone(openApi({ additions, hasRoles: true })));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

test('every reference of the document leads somewhere', () => {
  for (const document of [whole, bare]) {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path));
    expect(references.size).toBeGreaterThan(0);
    for (const path of references) {
      const target = path.split('/').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
      expect(target, path).toBeTypeOf('object');
    }
  }
});

test('the bare document has the operations of the interface and nothing else', () => {
  expect(idsIn(bare).toSorted()).toEqual(operations.map((operation) => operation.id).toSorted());
  expect(JSON.stringify(bare)).not.toContain('x-addition');
});

test('the whole document adds the additions and marks them, and only them', () => {
  expect(idsIn(whole).toSorted()).toEqual([...operations, ...additions].map((endpoint) => endpoint.id).toSorted());
  for (const endpoint of operations) expect(operationIn(whole, endpoint)).not.toHaveProperty('x-addition');
  for (const endpoint of additions) expect(operationIn(whole, endpoint)).toHaveProperty('x-addition', true);
});

test('every operation has one tag, each of which is described and used, and the address of the service ends without a slash', () => {
  for (const document of [whole, bare]) {
    const { tags, servers } = document as unknown as {
      tags: { name: string; description: string }[];
      servers: { url: string }[];
    };
    const used = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ tags }) => tags));
    for (const one of used) expect(one).toHaveLength(1);
    expect(new Set(used.flat())).toEqual(new Set(tags.map(({ name }) => name)));
    for (const { description } of tags) expect(description).toMatch(/\.$/);
    expect(servers).toMatchObject([{ url: '.' }]);
  }
  expect(operationIn(whole, listContactEvents)?.tags).toEqual(['Events']);
});

test('every schema of the document is used', () => {
  for (const document of [whole, bare]) {
    const { components } = document as unknown as { components: { schemas: Record<string, unknown> } };
    const text = JSON.stringify(document);
    for (const name of Object.keys(components.schemas)) expect(text).toContain(`"#/components/schemas/${name}"`);
  }
});

test('an operation that takes a body describes it, and no other does', () => {
  const isDescribed = (document: typeof whole, endpoint: Endpoint) =>
    operationIn(document, endpoint)?.requestBody !== undefined;
  for (const endpoint of operations) expect(isDescribed(bare, endpoint), endpoint.id).toBe('body' in endpoint);
  for (const endpoint of additions) expect(isDescribed(whole, endpoint), endpoint.id).toBe('body' in endpoint);
  expect(isDescribed(whole, unsubscribeContact)).toBe(true);
});

test('every gap of an operation stands at that operation', () => {
  for (const endpoint of operations) {
    const gaps = findGaps(endpoint);
    expect(gaps.length, endpoint.id).toBeGreaterThan(0);
    const printed = operationIn(whole, endpoint)?.['x-not-shown']?.map(({ silent }) => silent);
    expect(printed, endpoint.id).toEqual(gaps.map(({ silent }) => silent));
  }
});
