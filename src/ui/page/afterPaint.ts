/** Resolves after the next paint, or immediately in a hidden page. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => (document.hidden ? resolve() : requestAnimationFrame(() => setTimeout(resolve))));

/** Resolves when the first rows had time to load: what isn't of the page's first use must not delay them. */
export async function afterFirstLoad(): Promise<void> {
  await afterPaint();
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
