import { escapeHidden } from '#contract/invisibleCharacters.ts';

/** Says `text` to screen readers, politely: the result of an action that moves no focus. */
export function announce(text: string): void {
  // While a dialog is open, nothing outside it is heard; when it closes, nothing inside.
  for (const region of document.querySelectorAll('#announcements, [data-announcements]'))
    region.textContent = escapeHidden(text);
}
