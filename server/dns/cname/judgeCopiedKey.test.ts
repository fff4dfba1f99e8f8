import { expect, test } from 'vitest';
import { judgeCopiedKey } from './diagnoseMissingCname.ts';
import { pkcs1, RSA_2048, RSA_768, RSA_OTHER, spki } from '../../testing/testKeys.ts';

const KEY = `v=DKIM1; k=rsa; p=${spki(RSA_2048)}`;
const OTHER = `v=DKIM1; k=rsa; p=${spki(RSA_OTHER)}`;
const WEAK = `v=DKIM1; p=${spki(RSA_768)}`;
const REVOKED = 'v=DKIM1; p=';

// The owner published as TXT what the provider has at the target of a CNAME. `null`: there is nothing to enter.
test.each<[string, string[], string[] | null, string, (null | undefined)?]>([
  ['The same key: it works until the provider changes it.', [KEY], [KEY], 'TXT_COPIED_FROM_TARGET'],
  ['The same key, written otherwise.', [`p=${pkcs1(RSA_2048)}`], [KEY], 'TXT_COPIED_FROM_TARGET'],
  ['The target could not be asked.', [KEY], null, 'TXT_COPIED_FROM_TARGET'],
  ['The provider changed the key.', [KEY], [OTHER], 'DKIM_COPY_OUTDATED'],
  ['The provider withdrew the key.', [KEY], [REVOKED], 'DKIM_COPY_WITHDRAWN', null],
  ['The provider has no key there any more.', [KEY], [], 'DKIM_COPY_WITHDRAWN', null],
  ['The key of the provider is too short.', [KEY], [WEAK], 'DKIM_WEAK_KEY', null],
  ['The copy is broken: the CNAME would fix it.', [KEY.slice(0, 200)], [KEY], 'DKIM_BROKEN_KEY'],
  ['The copy is withdrawn: the CNAME would fix it.', [REVOKED], [KEY], 'DKIM_REVOKED'],
  ['The copy is broken, and the target could not be asked.', [REVOKED], null, 'DKIM_REVOKED'],
  ['Two copies.', [KEY, OTHER], [KEY], 'KEY_IN_SEVERAL_RECORDS'],
])('%s', (_, texts, targetTexts, code, offer) => {
  const judged = judgeCopiedKey({ texts, targetTexts });
  expect(judged?.code).toBe(code);
  expect(judged?.offer).toBe(offer);
});

test('nothing but empty texts is no copy', () => {
  expect(judgeCopiedKey({ texts: [''], targetTexts: [KEY] })).toBeNull();
});
