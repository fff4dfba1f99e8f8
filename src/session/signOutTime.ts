import { baseUrl } from '../api/client.ts';

const storageKey = () => `sendroom-signed-out ${baseUrl()}`;

/** Stores the time of a sign-out in localStorage, for tabs that hold a token in memory and got no message. */
export function saveSignOutTime(): void {
  try {
    localStorage.setItem(storageKey(), String(Date.now()));
  } catch {
    // Without storage those tabs stay signed in until somebody signs out there.
  }
}

/** The last sign-out in milliseconds since the epoch; 0 where there was none. */
export function readSignOutTime(): number {
  try {
    return Number(localStorage.getItem(storageKey()));
  } catch {
    return 0;
  }
}
