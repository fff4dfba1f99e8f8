import { afterEach, describe, expect, test } from 'vitest';
import type { Session } from '#contract/session.ts';
import { writeSetting } from '../ui/page/settings.ts';
import { locate, openWorkspace, placeName, withWorkspace, workspaceUrl } from './workspaces.ts';
import { sessionWith } from '../testing/testSession.ts';

const [ACME, GLOBEX] = ['0199aaaa-0000-7000-8000-000000000001', '0199aaaa-0000-7000-8000-000000000002'];
const BARE = sessionWith({ workspace_uuid: ACME, name: 'Acme', role: 'admin' });
const memberOf = (...uuids: string[]): Session => ({
  ...BARE,
  workspace_uuid: uuids[0] ?? null,
  person: { uuid: 'p', name: null, email: 'ann@example.com' },
  workspaces: uuids.map((uuid) => ({ uuid, name: uuid, role: 'read' })),
});

/** Opens a page, and gives what its pages are below. */
function open(path: string, basePath = ''): string {
  window.history.pushState(null, '', path);
  return openWorkspace(basePath);
}

afterEach(() => {
  writeSetting('workspace', null);
  open('/');
});

describe('the path of a page', () => {
  test.each([
    ['/contacts', '', ''],
    ['/', '', ''],
    [`/w/${ACME}`, '', `/w/${ACME}`],
    [`/w/${ACME.toUpperCase()}/contacts`, '', `/w/${ACME}`],
    [`/sendroom/w/${ACME}/contacts/w/x`, '/sendroom', `/sendroom/w/${ACME}`],
    ['/sendroom/contacts', '/sendroom', '/sendroom'],
    ['/w/', '', ''],
    ['/w/%2e%2e/contacts', '', ''],
    ['/contacts/w/x', '', ''],
  ])('%s, of a service under “%s”, is below %s', (path, basePath, below) => {
    expect(open(path, basePath).toLowerCase()).toBe(below);
  });

  test('in stored data and in the path to return to has the workspace', () => {
    open(`/w/${ACME}/contacts`);
    const below = placeName();
    expect(below).toMatch(new RegExp(`/w/${ACME}$`));
    expect(withWorkspace('/contacts')).toBe(`/w/${ACME}/contacts`);
    expect(workspaceUrl(GLOBEX, '/domains')).toBe(below.replace(ACME, `${GLOBEX}/domains`));
  });
});

test.each<[string, string, Session, ReturnType<typeof locate>]>([
  ['of a token, where no workspace is named', '/contacts', BARE, 'here'],
  ['of a token, by a link to its own', `/w/${ACME}/contacts`, BARE, { elsewhere: null }],
  ['of a token, by a link to another', `/w/${GLOBEX}/contacts`, BARE, 'nowhere'],
  ['of a token of no known workspace', `/w/${GLOBEX}/contacts`, { ...BARE, workspace_uuid: null }, 'nowhere'],
  ['of a person, in a workspace of theirs', `/w/${ACME}/contacts`, memberOf(ACME, GLOBEX), 'here'],
  // The service answers for their first where the one that is named is not theirs.
  ['of a person, in that of others', `/w/${ACME}/contacts`, memberOf(GLOBEX), 'nowhere'],
  // It would lead back here for ever.
  ['where no URL can name the workspaces', '/contacts', memberOf('../x', 'a b', ''), 'here'],
  ['where no URL can name the first', '/contacts', memberOf('', GLOBEX), { elsewhere: GLOBEX }],
])('the pages of a session are found %s', (_, path, session, place) => {
  open(path);
  expect(locate(session)).toEqual(place);
});

test('without a workspace in the URL, a person’s last one opens, or the first', () => {
  open('/contacts');
  expect(locate(memberOf(ACME, GLOBEX))).toEqual({ elsewhere: ACME });
  writeSetting('workspace', GLOBEX);
  expect(locate(memberOf(ACME, GLOBEX))).toEqual({ elsewhere: GLOBEX });
  expect(locate(memberOf(ACME))).toEqual({ elsewhere: ACME });
});
