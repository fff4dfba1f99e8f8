/** Resolves after the next paint, which then does not wait for what follows. A hidden page is not painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => (document.hidden ? resolve() : requestAnimationFrame(() => setTimeout(resolve))));
