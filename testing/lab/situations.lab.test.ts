import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESOLVERS, type ResolverName } from './addresses.ts';
import { runCheckCommand, runCheck, type CheckOutput } from './runCheckCommand.ts';
import { UNLISTED_ADDRESS, SENDER } from './companies.ts';
import { listDeviations } from './compareSituation.ts';
import { type Lab, startLab } from './lab.ts';
import { secondOpinions } from './secondOpinion.ts';
import { listedDomain, type Situation } from './situation.ts';
import { SITUATIONS } from './situations/allSituations.ts';

// Compares what an expert says of a domain with the output of the shipped command.

const SEVERAL_MINUTES = 300_000;
const FORMATS = ['text', 'json', 'ndjson', 'csv', 'junit', 'prometheus', 'github', 'nagios'];
/** Characters that control a terminal or are invisible, except line ends. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\u2800]|(?! )\p{Zs}/u;
/** Bytes that are not plain text, in a zone file. */
const STRANGE = /\\\d{3}|[^\n\x20-\x7e]/;

function argumentsOf({ resolver = 'validating', options = [] }: Situation): string[] {
  return ['--resolver', RESOLVERS[resolver as ResolverName], ...options];
}

/** Side by side, because most of the time is waiting; domains with the same options in one command. */
async function checkAll(): Promise<CheckOutput & { complaints: string[] }> {
  const batches = Map.groupBy(SITUATIONS, (situation) => argumentsOf(situation).join(' '));
  const all = await Promise.all(
    [...batches.values()].map((batch) => runCheck(batch.map(listedDomain), argumentsOf(batch[0] as Situation))),
  );
  return {
    records: all.flatMap(({ records }) => records),
    advice: all.flatMap(({ advice }) => advice),
    watched: all.flatMap(({ watched }) => watched),
    complaints: all.flatMap(({ complaints }) => complaints || []),
  };
}

let lab: Lab;
let all: Awaited<ReturnType<typeof checkAll>>;
beforeAll(async () => {
  lab = await startLab(SITUATIONS.flatMap(({ zones }) => zones));
  all = await checkAll();
}, SEVERAL_MINUTES);
afterAll(() => lab?.[Symbol.asyncDispose]());

test('the command reports no error', () => {
  expect(all.complaints).toEqual([]);
});

describe('the check says what the expert says', () => {
  test.each(SITUATIONS)('$id', (situation) => {
    expect(listDeviations(situation, all), situation.expert).toEqual([]);
  });
});

const offersOf = (prefix: RegExp) =>
  [...all.records, ...all.advice].flatMap(({ domain, fix }) =>
    fix !== null && fix.type === 'TXT' && prefix.test(fix.value) ? [{ domain, name: fix.name, value: fix.value }] : [],
  );

describe('other programs accept what is offered', () => {
  test('an SPF record lets the provider send, and not everybody', async () => {
    const offers = offersOf(/^v=spf1\b/i);
    const ask = (address: string) => offers.map(({ name, value }) => ({ domain: name, record: value, address }));
    const { spf } = await secondOpinions(lab.resolver(), {
      spf: [...ask(SENDER), ...ask(UNLISTED_ADDRESS)],
      dmarc: [],
    });
    const results = offers.map((offer, index) => ({
      ...offer,
      sender: spf[index],
      others: spf[offers.length + index],
    }));
    expect(offers.length).toBeGreaterThan(0);
    expect(results.filter(({ sender, others }) => sender !== 'pass' || others === 'pass')).toEqual([]);
  });

  test('a DMARC record can be read', async () => {
    // A permission for reports has no policy.
    const offers = offersOf(/^v=DMARC1\b/i).filter(({ name }) => !name.includes('._report._dmarc.'));
    const asked = offers.map(({ name, value }) => ({ domain: name, record: value }));
    const { dmarc } = await secondOpinions(lab.resolver(), { spf: [], dmarc: asked });
    expect(offers.length).toBeGreaterThan(0);
    expect(offers.filter((_, index) => dmarc[index] !== 0)).toEqual([]);
  });
});

test.each(FORMATS)('nothing invisible is in what %s writes', async (format) => {
  const strange = SITUATIONS.filter(({ zones, resolver }) => !resolver && zones.some(({ text }) => STRANGE.test(text)));
  expect(strange.length).toBeGreaterThan(0);
  const { out, err } = await runCheckCommand(strange.map(listedDomain), [
    '--resolver',
    RESOLVERS.validating,
    '--format',
    format,
  ]);
  expect(out).not.toBe('');
  expect(INVISIBLE.exec(out + err)).toBe(null);
});
