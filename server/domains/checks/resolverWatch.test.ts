import { expect, test } from 'vitest';
import { ResolverWatch } from './resolverWatch.ts';

function watch() {
  const told: boolean[] = [];
  const resolvers = new ResolverWatch((isDown) => told.push(isDown));
  return { told, resolvers };
}

test('no resolver responds for three domains: told once, and once when one does again', () => {
  const { told, resolvers } = watch();
  for (const domain of ['a', 'b', 'b']) resolvers.see(domain, true);
  expect(told).toEqual([]);
  for (const domain of ['c', 'd', 'a']) resolvers.see(domain, true);
  expect(told).toEqual([true]);
  expect(resolvers.isDown).toBe(true);
  for (const domain of ['a', 'b']) resolvers.see(domain, false);
  expect(told).toEqual([true, false]);
  for (const domain of ['a', 'b', 'c']) resolvers.see(domain, true);
  expect(told).toEqual([true, false, true]);
});

test('one or two domains may have a fault of their own', () => {
  const { told, resolvers } = watch();
  for (const domain of ['a', 'b']) resolvers.see(domain, true);
  resolvers.see('c', false);
  for (const domain of ['a', 'b']) resolvers.see(domain, true);
  expect(told).toEqual([]);
});
