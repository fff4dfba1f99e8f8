/** RFC 9110, 13.1.2. Weak tags count like strong ones, because proxies that compress make them so. */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const wanted = tag.replace(/^W\//, '');
  return ifNoneMatch.matchAll(/"[^"]*"/g).some(([one]) => one === wanted);
}
