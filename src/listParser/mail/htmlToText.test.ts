import { expect, test } from 'vitest';
import { htmlToText } from './htmlToText.ts';

const lines = (html: string) =>
  htmlToText(html)
    .split('\n')
    .filter((line) => line !== '' && line !== '>');

test.each<[string, string[]]>([
  ['<p>Hello</p><div>jane@example.com<br>bob@example.com</div>', ['Hello', 'jane@example.com', 'bob@example.com']],
  ['jane<b>@</b>example.com', ['jane@example.com']],
  ['jane&#64;example&period;com &lt;x&gt; &amp;amp;', ['jane@example.com <x> &amp;']],
  ['<a href="mailto:jane%40example.com?subject=x">Jane</a> writes', ['Jane <jane@example.com> writes']],
  ['<a href="mailto:jane@example.com">jane@example.com</a>', ['jane@example.com']],
  ['<script>a@script.test</script><style>b@style.test</style><!-- c@comment.test -->d@x.test', ['d@x.test']],
  ['<SCRIPT >a@script.test</script x>d@x.test', ['d@x.test']],
  ['<table><tr><td>Jane</td><td>jane@example.com</td></tr></table>', ['Jane jane@example.com']],
  [
    '<p>new</p><blockquote><p>old</p><blockquote>older</blockquote>old</blockquote><p>new</p>',
    ['new', '> old', '> older', '> old', 'new'],
  ],
  ['new<div class="gmail_quote"><div>On Monday</div><div>old</div></div>new', ['new', '> On Monday', '> old', 'new']],
  ['<div>hi</div><div class="moz-signature">-- <br>Jane</div>', ['hi', '-- ', '--', 'Jane']],
  ['1 < 2 <3 <> a@x.test', ['1 < 2 <3 <> a@x.test']],
  ['a@x.test <b', ['a@x.test <b']],
  ['<!-- never ends a@x.test', []],
  ['<img src=x onerror="alert(1)">a@x.test', ['a@x.test']],
])('%j is read', (html, expected) => {
  expect(lines(html)).toEqual(expected);
});

test.each(['<', '<a ', '<!--', '<script>', '<a href="mailto:', '<blockquote>', '</blockquote>', '&#', '<!', 'x<'])(
  'half a million of %j take linear time',
  (piece) => {
    expect(typeof htmlToText(piece.repeat(500_000))).toBe('string');
  },
);
