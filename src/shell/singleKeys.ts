const KEY = 'sendroom-single-keys';
let isEnabled = readSetting() !== 'off';

/** Whether keys without a modifier work: people who dictate or hit keys by accident can turn them off (WCAG 2.1.4). */
export function areSingleKeysEnabled(): boolean {
  return isEnabled;
}

/** Turns them on or off. Persisted in localStorage. */
export function setSingleKeys(enabled: boolean): void {
  isEnabled = enabled;
  keepSingleKeys();
}

/** Writes the setting to localStorage again, which a sign-out clears. */
export function keepSingleKeys(): void {
  try {
    if (isEnabled) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Without storage the setting lasts until the page is closed.
  }
}

function readSetting(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
