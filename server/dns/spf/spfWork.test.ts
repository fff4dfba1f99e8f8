import { describe, expect, test } from 'vitest';
import { EXPECTED, judgeTexts, WORLD, fakeLookUp, spf } from '../../testing/testSpf.ts';
import { judgeSpf } from './judgeSpf.ts';
import { expand, parseMacroString } from './evaluation/macroString.ts';
import { repairSpf } from './repairSpf.ts';
import { offerSpf } from './offerSpf.ts';
import { truncateName } from './evaluation/resolveTarget.ts';

// Records that are meant to keep the checker busy.

test('a record of 60 kB is not followed, and that is said', async () => {
  const text = `v=spf1 include:spf.p.test ${'ip4:192.0.2.1 '.repeat(4300)}-all`;
  expect(await judgeTexts([text])).toEqual({
    code: 'SPF_TOO_LONG',
    facts: { length: text.length, most: 8192 },
    offer: null,
  });
});

test('records of 60 kB that a record leads to are not followed', async () => {
  const long = spf(`a:inside.test ${'ip4:192.0.2.1 '.repeat(4300)}-all`);
  const lookUp = fakeLookUp({ ...WORLD, 'long.test': long });
  const texts = ['v=spf1 include:long.test include:spf.p.test -all'];
  const { code, facts } = await judgeSpf({ name: 'o.test', texts, expected: EXPECTED, lookUp });
  expect({ code, facts }).toMatchObject({
    code: 'SPF_INCLUDE_BROKEN',
    facts: { kind: 'long', at: 'long.test', target: 'long.test', count: long.TXT[0]?.length },
  });
  expect(lookUp.asked).not.toContain('inside.test A');
});

test('a record of 8 kB is followed, and its words are kept as they are', async () => {
  const own = Array.from({ length: 500 }, (_, index) => `ip4:192.0.${2 + (index >> 8)}.${index % 256}`).join(' ');
  const { code, offer } = await judgeTexts([`v=spf1 ${own} -all`]);
  expect(code).toBe('SPF_WITHOUT_INCLUDE');
  expect(offer).toBe(`v=spf1 ${own} include:spf.p.test -all`);
});

test.each([' ', '\t', '\u00a0', '\n', ';', ' 1', '.'])('"spf" and 60,000 times %j is no SPF record', async (filler) => {
  expect((await judgeTexts([`spf${filler.repeat(60_000)}x`])).code).toBe('SPF_MISSING');
});

const fill = (length: number) => `v=spf1; a -all ra=${'x'.repeat(length - 18)}`;

test('what nobody typed is not repaired', () => {
  expect(repairSpf(fill(4096))).not.toBeNull();
  expect(repairSpf(fill(4097))).toBeNull();
});

describe('macros', () => {
  class Counted extends Map<string, string> {
    reads = 0;
    override get(key: string) {
      this.reads += 1;
      return super.get(key);
    }
  }

  test('are expanded as far as a name can be long, from the right', () => {
    const values = new Counted([['d', 'example.test']]);
    const macros = parseMacroString(`${'%{dr-}.'.repeat(10_000)}end.test`) ?? [];
    const whole = `${'example.test.'.repeat(10_000)}end.test`;
    expect(truncateName(expand(macros, values, 255) ?? '')).toBe(truncateName(whole));
    expect(truncateName(whole)).toHaveLength(8 + 18 * 13 + 5);
    expect(values.reads).toBeLessThan(30);
  });

  test('a value that is not known is found wherever it is', () => {
    const macros = parseMacroString(`%{i}${'x.'.repeat(1000)}test`) ?? [];
    expect(expand(macros, new Map([['d', 'example.test']]), 255)).toBeNull();
  });
});

test('for an offer each record is evaluated once: the one that is there, and the one to come', async () => {
  const lookUp = fakeLookUp(WORLD);
  await offerSpf({ name: 'o.test', texts: ['v=spf1 redirect=own.o.test'], expected: EXPECTED, lookUp });
  expect(lookUp.asked.filter((question) => question === 'own.o.test TXT')).toHaveLength(2);
});
