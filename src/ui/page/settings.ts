import { createStore, useStore } from './store.ts';

/** Settings outlast a sign-out: they contain nothing about contacts. */
const KEYS =
  /^sendroom-(single-keys|time-zone|theme|columns-|demo-dismissed|(domains|overview)-seen-|news-seen|bursts-hidden-|workspace)/;

const settings = createStore<ReadonlyMap<string, string>>(new Map());

try {
  settings.write(new Map(Object.entries<string>(localStorage).filter(([key]) => KEYS.test(key))));
  // From another tab. A sign-out there clears the storage without a key.
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && KEYS.test(key)) set(key, newValue);
  });
} catch {
  // Without storage, settings last until the page is closed.
}

function set(key: string, value: string | null): void {
  const others = [...settings.read()].filter(([other]) => other !== key);
  settings.write(new Map(value === null ? others : [...others, [key, value]]));
}

const keyOf = (name: string) => `sendroom-${name}`;

export const onSettingChange = settings.subscribe;

export const readSetting = (name: string): string | null => settings.read().get(keyOf(name)) ?? null;

export const useSetting = (name: string): string | null => useStore(settings).get(keyOf(name)) ?? null;

export function writeSetting(name: string, value: string | null): void {
  set(keyOf(name), value);
  try {
    if (value === null) localStorage.removeItem(keyOf(name));
  } catch {
    return;
  }
  keepSettings();
}

/** Writes the settings again: a sign-out clears localStorage. */
export function keepSettings(): void {
  try {
    for (const [key, value] of settings.read()) localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
