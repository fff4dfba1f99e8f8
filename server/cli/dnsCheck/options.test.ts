import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readOptions } from './options.ts';

const written = vi.fn<() => boolean>();
beforeEach(() => void vi.spyOn(process.stderr, 'write').mockImplementation(written));
afterEach(() => void vi.restoreAllMocks());

test.each<[args: string[], sentence: string]>([
  [[], '--expect or --base-url is required'],
  [['--expect', '-', '--base-url', 'https://a.test'], 'cannot be used with'],
  [['--base-url', 'ftp://a.test'], 'It must be an address like https://api.example.com.'],
  [['--base-url', 'https://me:secret@a.test'], 'It must contain only the address.'],
  [['--base-url', 'https://token@a.test'], 'It must contain only the address.'],
  [['--expect', '-', '--resolver', 'dns.test'], 'It must be an address like 192.0.2.1'],
  [['--expect', '-', '--format', 'xml'], 'Allowed choices are text, json,'],
  [['--expect', '-', '--domain', 'a b'], 'It must be a domain name like mail.example.com.'],
  [['--expect', '-', 'more'], 'too many arguments'],
  [['--token', 'secret'], "unknown option '--token'"],
  [['--timeout', '2'], 'It must be like 500ms, 2s, 5m or 1h, and a day at most.'],
  [['--deadline', '0s'], 'It must be like 500ms'],
  [['--wait', '25h'], 'It must be like 500ms'],
  [['--interval', '-1s'], 'It must be like 500ms'],
  [['--confirm', '0'], 'It must be from 1 to 10.'],
  [['--confirm', '11'], 'It must be from 1 to 10.'],
  [['--confirm', '2', '--wait', '1m'], 'cannot be used with'],
  [['--fail-on', 'ok'], 'Use fail, pending, warn, unknown.'],
  [['--expect', '-', '--only', 'right'], 'Allowed choices are problems.'],
  [['--expect', '-', '--only', 'problems', '--format', 'json'], '--only works with text, csv, ndjson'],
  [['--expect', '-', '--fixes', 'csv', '--format', 'csv'], 'cannot be used with'],
  [['--expect', '-', '--fixes', 'json'], 'Allowed choices are zone, nsupdate, dnscontrol, octodns, terraform, csv.'],
  [['--authoritative', 'yes'], 'Allowed choices are auto, on, off.'],
])('%j is wrong use', (args, sentence) => {
  expect(() => readOptions(args)).toThrow(sentence);
  expect(written).toHaveBeenCalled();
});

test('options that can be given again are lists, and names are normalised', () => {
  const args = ['--expect', '-', '--domain', 'BÜCHER.test.', '--fail-on', 'warn, pending', '--fail-on', 'unknown'];
  expect(readOptions([...args, '--wait', '1.5m', '-q'])).toMatchObject({
    domain: ['xn--bcher-kva.test'],
    failOn: ['warn', 'pending', 'unknown'],
    wait: 90_000,
    confirm: 1,
    authoritative: 'auto',
    format: 'text',
    quiet: true,
  });
});
