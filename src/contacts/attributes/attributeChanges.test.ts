import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Attributes } from '#contract/values/field.ts';
import { LosslessNumber, parseJson } from '../../ui/format/json.ts';
import {
  parseDraft,
  diffAttributes,
  createDraft,
  findNameFaults,
  findRemovedAttributes,
  withLineEnds,
  toDraftValue,
  withText,
  type DraftLine,
  type ValueKind,
} from './attributeChanges.ts';

const JANE: Attributes = { email: 'jane@x.test', age: 41, tags: ['vip'], note: '42', gone: null };

/** The draft of `attributes` with some lines edited, by key, and new lines added. */
function edited(attributes: Attributes, edits: Record<string, Partial<DraftLine>>, added: Partial<DraftLine>[] = []) {
  const lines = createDraft(attributes).map((line) =>
    Object.hasOwn(edits, line.key) ? { ...line, ...edits[line.key] } : line,
  );
  const empty = { key: '', text: '', kind: 'text', removed: false, isNew: true } as const;
  return [...lines, ...added.map((line, index) => ({ ...empty, id: 1000 + index, ...line }))];
}

function bodyOf(edits: Record<string, Partial<DraftLine>>, added: Partial<DraftLine>[] = []) {
  const { body, faults } = parseDraft(JANE, edited(JANE, edits, added));
  expect(faults).toEqual(new Map());
  return body;
}

function faultsOf(added: Partial<DraftLine>[]) {
  return [...parseDraft(JANE, edited(JANE, {}, added)).faults.values()];
}

describe('what is sent', () => {
  test.each<[what: string, edits: Record<string, Partial<DraftLine>>, body: Attributes]>([
    ['nothing when nothing was touched', {}, {}],
    ['the changed keys alone', { age: { text: '42' } }, { age: 42 }],
    ['a text that is empty now', { email: { text: '' } }, { email: '' }],
    ['null for a removed key', { age: { removed: true } }, { age: null }],
    ['null for a key whose JSON is null', { age: { kind: 'json', text: ' null' } }, { age: null }],
    ['the JSON of the letters of a text', { note: { kind: 'json' } }, { note: 42 }],
    ['the number of the letters of a text', { note: { kind: 'number' } }, { note: 42 }],
    ['the text of the digits of a number', { age: { kind: 'text' } }, { age: '41' }],
    ['nothing for a text that is a long one', { note: { kind: 'long' } }, {}],
    ['nothing for a text that is written as JSON', { note: { kind: 'json', text: '"42"' } }, {}],
    ['nothing for other blanks in JSON', { tags: { text: ' [ "vip" ] ' } }, {}],
  ])('is %s', (_, edits, body) => {
    expect(bodyOf(edits)).toEqual(body);
    const { changes } = parseDraft(JANE, edited(JANE, edits));
    expect(changes).toEqual(
      Object.entries(body).map(([key, after]) => ({ key, before: JANE[key], after: after ?? undefined })),
    );
  });

  test('holds new keys, without the blanks around their names', () => {
    const body = bodyOf({}, [
      { key: ' company ', text: ' Acme ' },
      { key: 'size', text: '{"__proto__": 1}', kind: 'json' },
      { key: 'seats', text: ' 12 ', kind: 'number' },
      { key: 'rate', text: '1e3', kind: 'number' },
      { key: 'member', text: 'false', kind: 'boolean' },
      { key: 'remark', text: 'one\ntwo', kind: 'long' },
      {},
    ]);
    expect(JSON.stringify(body)).toBe(
      '{"company":" Acme ","size":{"__proto__":1},"seats":12,"rate":1000,"member":false,"remark":"one\\ntwo"}',
    );
  });

  test('is a number of a stranger with the digits it came with', () => {
    const before = parseJson('{"id":9007199254740993,"list":[1e400],"name":"Jane"}') as Attributes;
    expect(parseDraft(before, createDraft(before))).toEqual({ changes: [], body: {}, faults: new Map() });
    expect(createDraft(before).map(({ text }) => text)).toEqual(['9007199254740993', '[1e400]', 'Jane']);
    expect(parseDraft(before, edited(before, { name: { text: 'June' } })).body).toEqual({ name: 'June' });
    const lost = findRemovedAttributes(before, { name: 'June' }, { name: 'June' });
    expect(JSON.stringify(lost)).toBe('{"id":9007199254740993,"list":[1e400]}');
    // What a user enters is rejected nevertheless, because most services would change it.
    const { faults } = parseDraft(before, edited(before, { id: { text: '9007199254740995' } }));
    expect([...faults.values()]).toEqual([expect.stringMatching(/too large/)]);
  });

  test('leaves a name as it is that our form would not have allowed', () => {
    const odd: Attributes = { ' email ': 'a', '': 'b', email: 'c' };
    expect(parseDraft(odd, createDraft(odd))).toEqual({ changes: [], body: {}, faults: new Map() });
    expect(parseDraft(odd, edited(odd, { ' email ': { text: 'x' } })).body).toEqual({ ' email ': 'x' });
    const proto = JSON.parse('{"__proto__":"a"}') as Attributes;
    expect(parseDraft(proto, createDraft(proto))).toEqual({ changes: [], body: {}, faults: new Map() });
  });
});

describe('a value is edited as', () => {
  test.each<[unknown, ValueKind, string]>([
    ['Jane', 'text', 'Jane'],
    ['', 'text', ''],
    ['41', 'text', '41'],
    ['true', 'text', 'true'],
    ['one\ntwo', 'long', 'one\ntwo'],
    ['one\rtwo', 'long', 'one\rtwo'],
    ['x'.repeat(81), 'long', 'x'.repeat(81)],
    [41, 'number', '41'],
    [-0.5, 'number', '-0.5'],
    [new LosslessNumber('9007199254740993'), 'number', '9007199254740993'],
    [true, 'boolean', 'true'],
    [false, 'boolean', 'false'],
    [null, 'json', 'null'],
    [['vip'], 'json', '["vip"]'],
  ])('%j: %s', (value, kind, text) => {
    expect(toDraftValue(value)).toEqual({ kind, text });
    const original = { value } as Attributes;
    expect(parseDraft(original, createDraft(original)).changes).toEqual([]);
  });
});

test('a text that gets a line break is a long one from then on, and other kinds stay what they are', () => {
  expect(withText({ kind: 'text' }, 'one')).toEqual({ kind: 'text', text: 'one' });
  expect(withText({ kind: 'text' }, 'one\ntwo')).toEqual({ kind: 'long', text: 'one\ntwo' });
  expect(withText({ kind: 'long' }, 'one')).toEqual({ kind: 'long', text: 'one' });
  expect(withText({ kind: 'json' }, '[\n]')).toEqual({ kind: 'json', text: '[\n]' });
});

describe('a fault', () => {
  test.each<[fault: RegExp, kind: ValueKind, texts: string[]]>([
    [/isn’t JSON/, 'json', ['', 'Acme', '{"a":1']],
    [/null removes/, 'json', ['null']],
    [/too large/, 'json', ['[{"a":-1e999}]', '12345678901234567890']],
    [/too large/, 'number', ['1e400', '12345678901234567890', '9007199254740992']],
    [/isn’t a number/, 'number', ['', '1,5', '007', '0x10', 'true', '4 1']],
    [/yes or no/, 'boolean', ['', '1']],
  ])('of a value: %s, as %s', (fault, kind, texts) => {
    for (const text of texts) {
      expect(faultsOf([{ key: 'size', text, kind }]), text).toEqual([expect.stringMatching(fault)]);
    }
  });

  test.each([
    ['', /Name this/],
    ['   ', /Name this/],
    ['__proto__', /isn’t possible/],
    ['email', /email already exists/],
    [' email ', /email already exists/],
  ])('of the name %j', (key, fault) => {
    expect(faultsOf([{ key, text: 'Acme' }])).toEqual([expect.stringMatching(fault)]);
  });

  test('of a name leaves the line out of the changes, and is told from one of its value', () => {
    const lines = edited(JANE, {}, [{ key: 'email' }, { key: 'size', text: 'x', kind: 'json' }]);
    const { changes, faults } = parseDraft(JANE, lines);
    expect(changes).toEqual([]);
    expect([...faults.keys()]).toEqual([1000, 1001]);
    expect([...findNameFaults(lines)]).toEqual([[1000, 'email already exists.']]);
  });

  test('never stands on a line nobody touched, whatever the service sent', () => {
    const odd = JSON.parse(`{"big":12345678901234567890,"huge":1e400,"deep":${'['.repeat(1e5)}${']'.repeat(1e5)}}`);
    expect(parseDraft(odd as Attributes, createDraft(odd as Attributes))).toEqual({
      changes: [],
      body: {},
      faults: new Map(),
    });
  });
});

/** Any JSON, with the numbers that a form can keep. */
const json = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.integer(),
  fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.constant(null), { maxKeys: 2 }),
);
const attributes = fc
  .dictionary(fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', ' a ', 'toString')), json, {
    maxKeys: 6,
  })
  .map((object) => JSON.parse(JSON.stringify(object)) as Attributes);

/** The result of a service that merges `body` (docs/gaps.md). */
function merge(before: Attributes, body: Attributes): Attributes {
  return Object.fromEntries(Object.entries({ ...before, ...body }).filter(([, value]) => value !== null));
}

test('an edited draft, sent and merged, is what the form showed', () => {
  fc.assert(
    fc.property(attributes, fc.array(fc.option(json)), (before, values) => {
      const draft = createDraft(before).map((line, index) => {
        const value = values[index];
        if (value === undefined) return line;
        return value === null ? { ...line, removed: true } : { ...line, ...toDraftValue(value) };
      });
      const { body, changes, faults } = parseDraft(before, draft);
      const wanted = Object.fromEntries(
        Object.entries(before).flatMap(([key, value], index) => {
          const edit = values[index];
          return edit === null ? [] : [[key, edit ?? value]];
        }),
      );
      expect(faults.size).toBe(0);
      expect(JSON.stringify(merge(before, body))).toBe(JSON.stringify(wanted));
      expect(changes.every((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))).toBe(true);
    }),
  );
});

test('the differences of two states lead from one to the other', () => {
  fc.assert(
    fc.property(attributes, attributes, (before, after) => {
      const body = Object.fromEntries(
        diffAttributes(before, after).map((change) => [change.key, change.after ?? null]),
      );
      expect(new Map(Object.entries(merge(before, body)))).toEqual(new Map(Object.entries(after)));
      expect(diffAttributes(before, before)).toEqual([]);
    }),
  );
});

describe('a service that replaces instead of merging', () => {
  test('is told by the keys that vanish; sent back, they are all there', () => {
    fc.assert(
      fc.property(attributes, attributes, (before, body) => {
        const lost = findRemovedAttributes(before, body, body);
        expect(new Map(Object.entries({ ...lost, ...body }))).toEqual(new Map(Object.entries({ ...before, ...body })));
        expect(findRemovedAttributes(before, body, { ...before, ...body })).toEqual({});
      }),
    );
  });
});

test.each([
  ['a letter', 'one\r\ntwo', 'one\ntwo!', 'one\r\ntwo!'],
  ['a line in front', 'one\ntwo', 'zero\none\ntwo', 'zero\none\ntwo'],
  ['a line at the end', 'one\r\ntwo', 'one\ntwo\nthree', 'one\r\ntwo\r\nthree'],
  ['lines where there were none', 'x', 'one\ntwo', 'one\ntwo'],
])('the line ends of a text stay after %s was typed', (_, before, typed, after) => {
  expect(withLineEnds(before, typed)).toBe(after);
});
