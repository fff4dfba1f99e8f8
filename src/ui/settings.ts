import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/** What outlasts a sign-out: it says nothing of contacts. */
const KEYS = /^sendroom-(single-keys|time-zone|columns-|demo-dismissed|workspace)/;

const settings = new Map<string, string>();
const { notify, subscribe } = createListeners();

try {
  for (const [key, value] of Object.entries(localStorage)) if (KEYS.test(key)) settings.set(key, String(value));
  // Another tab has changed one. A sign-out there clears the storage without a key: the settings stay.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === null || !KEYS.test(key)) return;
    if (newValue === null) settings.delete(key);
    else settings.set(key, newValue);
    notify();
  });
} catch {
  // Without storage the settings last until the page is closed.
}

const keyOf = (name: string) => `sendroom-${name}`;

export const readSetting = (name: string): string | null => settings.get(keyOf(name)) ?? null;

/** The setting, also after it has changed. */
export const useSetting = (name: string): string | null => useSyncExternalStore(subscribe, () => readSetting(name));

/** Keeps the setting in localStorage; null is its default. */
export function writeSetting(name: string, value: string | null): void {
  if (value === null) settings.delete(keyOf(name));
  else settings.set(keyOf(name), value);
  notify();
  try {
    if (value === null) localStorage.removeItem(keyOf(name));
  } catch {
    return;
  }
  keepSettings();
}

/** Writes the settings to localStorage again, which a sign-out clears. */
export function keepSettings(): void {
  try {
    for (const [key, value] of settings) localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
