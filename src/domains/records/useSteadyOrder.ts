import { useState } from 'react';

/** `items` in their order, which doesn't change during a check. New ones follow at the end. */
export function useSteadyOrder<Item extends { key: string }>(items: readonly Item[], isFetching: boolean): Item[] {
  const current = items.map(({ key }) => key);
  const [order, setOrder] = useState(current);
  const isSame = order.join() === current.join();
  if (!isFetching && !isSame) setOrder(current);
  const place = ({ key }: Item) => (order.includes(key) ? order.indexOf(key) : order.length);
  return items.toSorted((one, other) => place(one) - place(other));
}
