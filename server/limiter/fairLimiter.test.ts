import { expect, test } from 'vitest';
import { FairLimiter } from './fairLimiter.ts';

test('a group that has many under way lets others go first', async () => {
  const limiter = new FairLimiter(2);
  const order: string[] = [];
  const gates: (() => void)[] = [];
  const take = (name: string, group: string) =>
    limiter.run(
      () => {
        order.push(name);
        return new Promise<void>((resolve) => gates.push(resolve));
      },
      undefined,
      group,
    );
  const all = [take('slow 1', 'slow'), take('slow 2', 'slow'), take('slow 3', 'slow'), take('right 1', 'right')];
  await Promise.resolve();
  expect(order).toEqual(['slow 1', 'slow 2']);
  for (let done = 0; done < all.length; done++) {
    gates[done]?.();
    await all[[0, 1, 3, 2][done] ?? 0];
  }
  expect(order).toEqual(['slow 1', 'slow 2', 'right 1', 'slow 3']);
});

test('where one is under way at a time, a group with many waits for others after each', async () => {
  const limiter = new FairLimiter(1);
  const order: string[] = [];
  const take = (group: string) => limiter.run(() => Promise.resolve(void order.push(group)), undefined, group);
  await Promise.all(['many', 'many', 'many', 'many', 'one', 'another'].map(take));
  expect(order).toEqual(['many', 'one', 'many', 'another', 'many', 'many']);
});
