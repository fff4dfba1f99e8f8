import { baseUrl } from '../api/client.ts';

/** All that tabs tell each other of a session. */
export type News = 'signed in' | 'signed out';

let channel: BroadcastChannel | null = null;

/** From now on hears what other tabs tell that show the same service; where a browser has no such channel, nothing. */
export function listenToTabs(onNews: (news: News) => void): void {
  if (typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel(`sendroom ${baseUrl()}`);
  channel.onmessage = ({ data }: MessageEvent<News>) => onNews(data);
}

/** Tells it to the other tabs. */
export function tellTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel?.postMessage(news);
}

const nameOfNote = () => `sendroom-signed-out ${baseUrl()}`;

/** Leaves a note of when somebody signed out, for tabs that have the token in a memory of their own and hear nothing. */
export function noteSignOut(): void {
  try {
    localStorage.setItem(nameOfNote(), String(Date.now()));
  } catch {
    // A browser that stores nothing leaves each of those tabs to whoever opened it.
  }
}

/** Milliseconds since the epoch; 0 when nobody did. */
export function lastSignOut(): number {
  try {
    return Number(localStorage.getItem(nameOfNote()));
  } catch {
    return 0;
  }
}
