import { escapeHidden } from '#contract/invisibleCharacters.ts';

/** Milliseconds within which a dialog that closes is taken to close because of what was announced. */
const CLOSES_WITHIN = 1000;

/** Announces `text` politely to screen readers: the result of an action that moves no focus. */
export function announce(text: string): void {
  say(escapeHidden(text));
  // Its region goes with it, and what was outside while it was open has not been heard.
  document
    .querySelector('dialog[open]')
    ?.addEventListener('close', () => say(document.getElementById('announcements')?.textContent ?? ''), {
      once: true,
      signal: AbortSignal.timeout(CLOSES_WITHIN),
    });
}

/** An open dialog has a region of its own: screen readers ignore what is outside it. */
function say(text: string): void {
  for (const region of document.querySelectorAll('#announcements, [data-announcements]')) region.textContent = text;
}
