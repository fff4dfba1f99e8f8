import { baseUrl } from '../api/client.ts';

const nameOfNote = () => `sendroom-signed-out ${baseUrl()}`;

/** Leaves a note of when somebody signed out, for tabs that have the token in a memory of their own and hear nothing. */
export function saveSignOutTime(): void {
  try {
    localStorage.setItem(nameOfNote(), String(Date.now()));
  } catch {
    // A browser that stores nothing leaves each of those tabs to whoever opened it.
  }
}

/** Milliseconds since the epoch; 0 when nobody did. */
export function readSignOutTime(): number {
  try {
    return Number(localStorage.getItem(nameOfNote()));
  } catch {
    return 0;
  }
}
