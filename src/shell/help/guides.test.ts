import { expect, test } from 'vitest';
import { paths } from '../../url/paths.ts';
import { findGuide } from './guides.ts';

const pages = Object.entries(paths).flatMap(([name, path]) =>
  name === 'signIn' ? [] : [typeof path === 'string' ? path : (path('x').split('?')[0] ?? '')],
);

test('every page of the console has a guide', () => {
  const without = pages.filter((path) => path !== paths.overview && findGuide(path).guide.path === paths.overview);
  expect(without).toEqual([]);
  expect(findGuide(paths.overview).guide.title).toBe('Overview');
});

test('a page has the guide of its section, and the others are offered', () => {
  expect(findGuide(paths.domain('acme.example')).guide.title).toBe('Domains');
  const { others } = findGuide(paths.contact('a@b.example'));
  expect(others.map(({ title }) => title)).not.toContain('Contacts');
  expect(others.length).toBeGreaterThan(8);
});
