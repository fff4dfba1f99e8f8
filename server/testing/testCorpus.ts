// Texts that other programs have failed on, grouped by their purpose. None of them has a meaning here.

/** Those without a blank in them. */
const words = (text: string): string[] => text.trim().split(/\s+/);

const sql = [
  ...words(`
  ' " % _ %%%%_ ? :name /* */ '/**/or/**/1=1 NULL null
  `),
  '`',
  "' or 1=1 --",
  "' or '1'='1",
  '") or ("1"="1',
  "'; drop table contacts; --",
  "'; select pg_sleep(5); --",
  "' || (select pg_sleep(5)) || '",
  "1' union select hash from tokens --",
  "' and 1=cast((select version()) as int) --",
  "x'; attach database '/tmp/x.db' as x; --",
  "' and randomblob(500000000) and '",
  'created_at desc, (select case when (1=1) then 1 else 1/0 end)',
  '\\',
  "\\'",
  '$1',
  '$$',
  '\u02bc or 1=1 --',
  '\uff07 or 1=1 --',
  "E'\\047'",
];

const nosql = [
  '{"$gt":""}',
  '{"$ne":null}',
  '{"$where":"sleep(5000)"}',
  '[$ne]=1',
  '{"$regex":"^(a+)+$"}',
  'true, $where: "1 == 1"',
  '*)(uid=*))(|(uid=*',
  '{"$function":{}}',
];

const templates = [
  ...words(`
  {{7*7}} #{7*7} %{(#a=1)} @(1+1) %p%s%n%x%d <script>alert(1)</script> javascript:alert(1) ]]> &#39;
  `),
  '${7*7}',
  '<%= 7*7 %>',
  '${jndi:ldap://127.0.0.1:1/a}',
  '{{constructor.constructor("return process")()}}',
  '{{#with "s" as |string|}}{{/with}}',
  '$(id)',
  '`id`',
  '| id',
  '; id',
  '&& id',
  '%1$s',
  '=cmd|"/c calc"!A1',
  '"><img src=x onerror=alert(1)>',
  '<!--#exec cmd="id"-->',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  '\\u0027',
];

const headers = [
  '\r\nSet-Cookie: a=b',
  '\nX-Injected: 1',
  '\rX-Injected: 1',
  '\r\n\r\n<html>',
  '\u010d\u010aX-Injected: 1',
  'a\u0085b',
  'a; HttpOnly=false',
  '"; filename="x',
  'x, y, z',
  '=?utf-8?q?x?=',
];

const paths = [
  ...words(`
  . .. ... ../../etc/passwd %2e%2e%2f ..%2f ..%252f..%252f ..%c0%af /etc/passwd file:///etc/passwd //127.0.0.1:1/x
  http://127.0.0.1:1/ http://169.254.169.254/latest/meta-data .env .git/config a/b a//b a;b=c a?b a#b ~ - * con
  nul.txt .htaccess /dev/random
  `),
  '..\\..\\windows\\win.ini',
  'C:\\boot.ini',
  '\\\\127.0.0.1\\x',
  ' ',
];

/** Texts that engines store, fold or reject in different ways. */
export const HOSTILE_UNICODE: readonly string[] = [
  '\u0000',
  'a\u0000b',
  '\u0001\u0002\u0007\u0008\u001b[31m\u007f',
  '\ud800',
  '\udc00\ud800',
  '\ufffd',
  '\ufeff',
  '\ufffe\uffff',
  '\u202egnp.exe',
  '\u2066\u2067\u2069',
  '\u200b\u200c\u200d\u2060',
  '\u00ad',
  '\u3164',
  '\u2028',
  '\u2029',
  'İıſßŉǰΐẞﬀﬃ',
  'Ω≈ç√∫˜µ≤≥÷',
  'ثم نفس سقطت',
  '田中さん',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '\u{10ffff}',
  'a\u0300'.repeat(50),
  'Z\u0351\u036b\u0343'.repeat(20),
  'ﷺ'.repeat(30),
  'ا\u0644\u0644\u064f\u0635\u0651\u0628\u064f',
  '\u1e9e\u0130',
  'ａｄｍｉｎ',
  'аdmin',
  '\u212a',
  'ﬁ',
];

const numbers = [
  ...words(`
  0 -0 -1 1e400 -1e400 1e-400 9007199254740993 9223372036854775807 9223372036854775808 18446744073709551616
  340282366920938463463374607431768211456 2147483648 0x10 010 1_000 1,000 ١٢٣ １２ NaN Infinity -Infinity 1.0 .5 1.
  +1 1e3 00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff
  {00000000-0000-4000-8000-000000000000} 0000-00-00T00:00:00Z
  `),
  '1'.repeat(400),
];

/** Names with a meaning in some programs. */
export const HOSTILE_NAMES = [
  ...words(`
  __proto__ constructor prototype toString hasOwnProperty valueOf toJSON then length __defineGetter__
  constructor.prototype.polluted __proto__.polluted undefined null true NaN 0 -1 [] @type uuid id workspace_id
  subscribed created_at email phone customer_id a.b a[b] a] é
  `),
  '',
  ' ',
  '[object Object]',
  '$where',
  '\u0000',
  '\ud800',
  '\u202e',
  'k'.repeat(128),
  'k'.repeat(129),
];

const long = [
  'a'.repeat(255),
  'a'.repeat(201),
  'a'.repeat(4000),
  '@'.repeat(300),
  ' '.repeat(500),
  `${'a'.repeat(60)}!`,
];

/** Texts against backtracking patterns. */
const backtracking = [
  'a@'.repeat(100),
  `${'a.'.repeat(100)}@`,
  `"${'\\"'.repeat(100)}`,
  `${'0'.repeat(100)}x`,
  '(a+)+$',
  '(.*)*$',
];

export const HOSTILE_TEXTS: readonly string[] = [
  ...sql,
  ...nosql,
  ...templates,
  ...headers,
  ...paths,
  ...HOSTILE_UNICODE,
  ...numbers,
  ...HOSTILE_NAMES,
  ...long,
  ...backtracking,
];

export const MEDIA_TYPES = [
  'application/json; charset=utf-16',
  'application/json; charset=x',
  'application/json;',
  'application/json\t; a=b',
  ' application/json',
  'application/json; boundary="',
  'APPLICATION/JSON',
  'application/json, text/plain',
  'application/problem+json',
  'application/x-ndjson',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/cbor',
  'application/xml',
  'text/plain',
  'text/html',
  'text/json',
  'multipart/form-data',
  'multipart/form-data; boundary=----x',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/x-java-serialized-object',
  '*/*',
  '/',
  '',
  'json',
  'x'.repeat(2000),
] as const;
