import { escapeHidden } from '#contract/values/invisibleCharacters.ts';

/** Milliseconds. If a dialog closes within this time, the text is announced again. */
const CLOSES_WITHIN = 1000;

/** Announces the result of an action that moves no focus. */
export function announce(text: string): void {
  const say = () => {
    // An open dialog has its own region: screen readers ignore what is outside.
    for (const region of document.querySelectorAll('#announcements, [data-announcements]'))
      region.textContent = escapeHidden(text);
  };
  say();
  // Its region is removed with it, and the one outside was not heard.
  document
    .querySelector('dialog[open]')
    ?.addEventListener('close', say, { once: true, signal: AbortSignal.timeout(CLOSES_WITHIN) });
}
