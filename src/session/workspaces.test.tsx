import { afterEach, describe, expect, test } from 'vitest';
import type { Session } from '#contract/session.ts';
import { writeSetting } from '../ui/settings.ts';
import { locate, openWorkspace, placeName, withWorkspace, workspaceUrl } from './workspaces.ts';

const [ACME, GLOBEX] = ['0199aaaa-0000-7000-8000-000000000001', '0199aaaa-0000-7000-8000-000000000002'];
const BARE: Session = {
  workspace_uuid: ACME,
  name: 'Acme',
  identity_field: null,
  role: 'admin',
  capabilities: [],
  person: null,
  workspaces: [],
};
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

  test('of what the browser keeps, and of where a sign-in comes back to, has the workspace', () => {
    open('/contacts');
    const bare = placeName();
    expect(withWorkspace('/contacts')).toBe('/contacts');
    open(`/w/${ACME}/contacts`);
    expect(placeName()).toBe(`${bare}/w/${ACME}`);
    expect(withWorkspace('/contacts')).toBe(`/w/${ACME}/contacts`);
    expect(workspaceUrl(GLOBEX, '/domains')).toBe(`${bare}/w/${GLOBEX}/domains`);
    expect(workspaceUrl(null)).toBe(`${bare}/`);
  });
});

describe('the pages of a session', () => {
  test('by token are where no workspace is named, and a link to its own leads there', () => {
    open('/contacts');
    expect(locate(BARE)).toBe('here');
    open(`/w/${ACME}/contacts`);
    expect(locate(BARE)).toEqual({ elsewhere: null });
    open(`/w/${GLOBEX}/contacts`);
    expect(locate(BARE)).toBe('nowhere');
    expect(locate({ ...BARE, workspace_uuid: null })).toBe('nowhere');
  });

  test('of a person are in a workspace of theirs', () => {
    open(`/w/${ACME}/contacts`);
    expect(locate(memberOf(ACME, GLOBEX))).toBe('here');
    // The service answers for their first where the one that is named is not theirs.
    expect(locate(memberOf(GLOBEX))).toBe('nowhere');
  });

  test('of a person are in the last workspace where none is named, or in the first', () => {
    open('/contacts');
    expect(locate(memberOf(ACME, GLOBEX))).toEqual({ elsewhere: ACME });
    writeSetting('workspace', GLOBEX);
    expect(locate(memberOf(ACME, GLOBEX))).toEqual({ elsewhere: GLOBEX });
    expect(locate(memberOf(ACME))).toEqual({ elsewhere: ACME });
  });

  test('are here where no URL can name the workspaces: it would lead back here for ever', () => {
    open('/contacts');
    expect(locate(memberOf('../x', 'a b', ''))).toBe('here');
    expect(locate(memberOf('', GLOBEX))).toEqual({ elsewhere: GLOBEX });
  });
});
