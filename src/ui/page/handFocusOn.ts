/**
 * The ref of a button that goes away when it is pressed, which would leave the focus nowhere: hands it on to what is around it and
 * can have the focus, at the latest the content of the page.
 */
export function handFocusOn(button: HTMLElement | null): (() => void) | undefined {
  if (button === null) return undefined;
  return () => {
    if (document.activeElement !== button) return;
    button.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  };
}
