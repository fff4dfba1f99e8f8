/** The label of `key`, or `key` itself. A service may send "constructor", which every object has. */
export const labelOr = (labels: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(labels, key) ? (labels[key] ?? key) : key;
