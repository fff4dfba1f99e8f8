/**
 * The secret of the link, which is taken out of the address bar: it would stay in the browser's history, which is synchronized. In the
 * state of the tab's entry it survives a reload. Null without one.
 */
export function takeSecret(): string | null {
  // A mail program may take the end of a sentence for a part of the link.
  const [, secret] = /^#([0-9a-f]{64})/.exec(window.location.hash) ?? [];
  if (secret !== undefined) window.history.replaceState({ secret }, '', window.location.pathname);
  const { secret: kept } = (window.history.state ?? {}) as { secret?: unknown };
  return typeof kept === 'string' ? kept : null;
}
