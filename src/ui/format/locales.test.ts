import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The formats as a browser of this language has them. */
async function loadIn(language: string) {
  vi.stubGlobal('navigator', { language });
  vi.resetModules();
  const [time, count, sentence, dates] = await Promise.all([
    import('./time.ts'),
    import('./formatCount.ts'),
    import('./sentenceTime.ts'),
    import('../../contacts/timeline/localDates.ts'),
  ]);
  return { ...time, ...count, ...sentence, ...dates };
}

const MOMENT = new Date('2026-11-22T13:05:09.123Z');
/** Spaces that do not break a line as plain ones, without direction marks. */
const plain = (text: string) =>
  text.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll(/[\u200E\u200F\u061C\u2068\u2069]/g, '');

describe('numbers and dates are those of the language', () => {
  test.each([
    ['en-GB', '1,234,567', '22 Nov 2026, 14:05:09', 'Sunday, 22 November 2026'],
    ['en-US', '1,234,567', 'Nov 22, 2026, 2:05:09 PM', 'Sunday, November 22, 2026'],
    ['de-DE', '1.234.567', '22.11.2026, 14:05:09', 'Sonntag, 22. November 2026'],
    ['fr-FR', '1 234 567', '22 nov. 2026, 14:05:09', 'dimanche 22 novembre 2026'],
    ['hi-IN', '12,34,567', '22 नव॰ 2026, 2:05:09 pm', 'रविवार, 22 नवंबर 2026'],
    ['ja-JP', '1,234,567', '2026/11/22 14:05:09', '2026年11月22日日曜日'],
  ])('%s', async (language, number, moment, day) => {
    const { formatCount, localDateTime, localDay } = await loadIn(language);
    expect(plain(formatCount(1_234_567))).toBe(number);
    expect(plain(localDateTime(MOMENT, 'Europe/Berlin'))).toBe(moment);
    expect(plain(localDay(MOMENT, 'Europe/Berlin'))).toBe(day);
  });

  test.each(['ar-EG', 'fa-IR', 'ne-NP', 'th-TH', 'ar-EG-u-nu-arab-ca-islamic'])(
    '%s has the digits and the calendar of the data',
    async (language) => {
      const { formatCount, localDateTime, localDay, localYear } = await loadIn(language);
      const texts = [formatCount(1_234_567), localDateTime(MOMENT, 'UTC'), localDay(MOMENT, 'UTC')];
      expect(texts.join(' ')).not.toMatch(/(?![0-9])\p{Nd}/u);
      expect(formatCount(1_234_567).replaceAll(/\D/g, '')).toBe('1234567');
      expect(plain(localYear(MOMENT, 'UTC'))).toContain('2026');
      expect(localDateTime(MOMENT, 'UTC')).toContain('2026');
    },
  );

  test('a date from right to left does not turn the words and the digits around it', async () => {
    const { localDateTime } = await loadIn('ar-EG');
    expect(localDateTime(MOMENT, 'UTC')).toMatch(/^\u2068[^\u2068\u2069]+\u2069 UTC$/);
    expect((await loadIn('de-DE')).localDateTime(MOMENT, 'UTC')).not.toMatch(/[\u2068\u2069]/);
  });

  test.each([
    ['that has only the time', 'It remembers until 13:05:09 UTC; wait.', MOMENT, 'It remembers until 14:05:09; wait.'],
    [
      'that has the day, because it ends on another',
      'Until 2026-11-22 13:05:09 UTC at the latest.',
      new Date('2026-11-21T09:00:00Z'),
      'Until 22 Nov 2026, 14:05:09 at the latest.',
    ],
    ['of another time', 'The zone is from 12:00:00 UTC.', MOMENT, 'The zone is from 12:00:00 UTC.'],
  ])('a sentence of the service %s', async (_, sentence, now, shown) => {
    const { localizeMoment } = await loadIn('en-GB');
    expect(localizeMoment(sentence, MOMENT, 'Europe/Berlin', now)).toBe(shown);
  });

  test.each(['en-US@posix', '', 'not a language'])('"%s" is read as English', async (language) => {
    const { formatCount, localDateTime } = await loadIn(language);
    expect(formatCount(1_234_567)).toBe('1,234,567');
    expect(localDateTime(MOMENT, 'Europe/Berlin')).toBe('22 Nov 2026, 14:05:09');
  });
});

describe('a time is that of the zone', () => {
  test.each([
    // Kathmandu is three quarters of an hour off; Berlin goes back by an hour on the 25th of October at 1:00 UTC.
    ['2026-11-22T18:20:00Z', 'Asia/Kathmandu', '23 Nov 2026, 00:05:00', '2026-11-23'],
    ['2026-10-25T00:59:59Z', 'Europe/Berlin', '25 Oct 2026, 02:59:59', '2026-10-25'],
    ['2026-10-25T01:00:00Z', 'Europe/Berlin', '25 Oct 2026, 02:00:00', '2026-10-25'],
    ['2026-07-01T22:00:00Z', 'Europe/Berlin', '2 Jul 2026, 00:00:00', '2026-07-02'],
    ['2026-07-01T03:59:00Z', 'America/New_York', '30 Jun 2026, 23:59:00', '2026-06-30'],
  ])('%s in %s is %s', async (moment, zone, words, day) => {
    const { localDateTime, isoDay } = await loadIn('en-GB');
    expect(localDateTime(new Date(moment), zone)).toBe(words);
    expect(isoDay(new Date(moment), zone)).toBe(day);
  });
});

test('the date in a letter is English, as the letter is', async () => {
  const inGermany = await loadIn('de-DE');
  expect(inGermany.longDateTime(MOMENT)).toMatch(/^22 November 2026 at \d\d:05$/);
  const inAmerica = await loadIn('en-US');
  expect(plain(inAmerica.longDateTime(MOMENT))).toMatch(/^November 22, 2026 at \d+:05 [AP]M$/);
});
