import { expect, test } from 'vitest';
import { translateOldLink } from './OldLink.tsx';

test.each([
  ['view=matrix', ''],
  ['view=matrix&order=worst&result=all', ''],
  ['view=matrix&result=fail', 'state=failing'],
  ['view=matrix&result=alarm', 'state=failing'],
  ['view=matrix&result=pending', 'state=pending'],
  ['view=matrix&result=warn', 'state=warning'],
  ['view=matrix&result=ok', 'state=healthy'],
  // No state of today has only these.
  ['view=matrix&result=unknown', ''],
  ['view=matrix&result=unchecked', ''],
  ['view=matrix&result=constructor', ''],
  // What the matrix showed of its own went before what it had from the list.
  ['view=matrix&state=healthy&result=fail', 'state=failing'],
  ['view=matrix&search=mail&page=2&per_page=100', 'search=mail&page=2&per_page=100'],
  // The matrix sorted by itself, unless it was asked not to.
  ['view=matrix&sort=name', ''],
  ['view=matrix&order=listed&sort=name', 'sort=name'],
  ['view=matrix&order=listed', 'sort=-created_at'],
  ['view=list', 'sort=-created_at'],
  ['view=list&sort=name&result=fail', 'sort=name'],
])('an old link with %s leads to %s', (old, query) => {
  expect(translateOldLink(new URLSearchParams(old)).toString()).toBe(query);
});
