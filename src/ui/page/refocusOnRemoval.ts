/** The ref of a button that is removed when it is pressed: focuses the closest focusable ancestor, at least the page's content. */
export function refocusOnRemoval(button: HTMLElement | null): (() => void) | undefined {
  if (button === null) return undefined;
  return () => {
    if (document.activeElement !== button) return;
    button.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  };
}
