/** Resolves after the next paint, or immediately in a hidden page. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => (document.hidden ? resolve() : requestAnimationFrame(() => setTimeout(resolve))));
