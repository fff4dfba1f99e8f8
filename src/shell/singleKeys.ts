const NAME = 'sendroom-single-keys';
let on = stored() !== 'off';

/** Whether keys without a modifier act: who dictates or hits keys by accident can turn them off (WCAG 2.1.4). */
export function areSingleKeysEnabled(): boolean {
  return on;
}

/** Turns them on or off in this browser, for good: a choice that has to be made anew at every visit is none. */
export function setSingleKeys(act: boolean): void {
  on = act;
  keepSingleKeys();
}

/** Signing out clears what the browser stores; this choice is the browser's, not the session's. */
export function keepSingleKeys(): void {
  try {
    if (on) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, 'off');
  } catch {
    // A browser that stores nothing keeps the choice until the page is left.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
