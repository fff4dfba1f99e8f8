import { escapeHidden } from '#contract/invisibleCharacters.ts';

/** Announces `text` politely to screen readers: the result of an action that moves no focus. */
export function announce(text: string): void {
  // An open dialog has a region of its own: screen readers ignore what is outside it.
  for (const region of document.querySelectorAll('#announcements, [data-announcements]'))
    region.textContent = escapeHidden(text);
}
