import { escapeHidden } from '#contract/values/invisibleCharacters.ts';

/** Milliseconds within which a dialog that closes is taken to close because of what was announced. */
const CLOSES_WITHIN = 1000;

/** Announces `text` politely to screen readers: the result of an action that moves no focus. */
export function announce(text: string): void {
  const say = () => {
    // An open dialog has a region of its own: screen readers ignore what is outside it.
    for (const region of document.querySelectorAll('#announcements, [data-announcements]'))
      region.textContent = escapeHidden(text);
  };
  say();
  // Its region goes with it, and what was outside while it was open has not been heard.
  document
    .querySelector('dialog[open]')
    ?.addEventListener('close', say, { once: true, signal: AbortSignal.timeout(CLOSES_WITHIN) });
}
