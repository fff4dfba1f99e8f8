// The installed command runs on the Node of the machine, for example 20 on Debian 13. This file adds the newer
// functions that the source uses, and is loaded first.

if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers });
if (!('fromAsync' in Array)) Object.assign(Array, { fromAsync });
if (!('groupBy' in Map)) Object.assign(Map, { groupBy });
if (!('parse' in URL)) Object.assign(URL, { parse });

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  const resolvers: Partial<PromiseWithResolvers<Value>> = {};
  resolvers.promise = new Promise<Value>((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers as PromiseWithResolvers<Value>;
}

async function fromAsync<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const array: Value[] = [];
  for await (const value of values) array.push(value);
  return array;
}

function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function parse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
