import { baseUrl } from '../api/client.ts';

/** All that tabs tell each other of a session. */
export type SessionEvent = 'signed in' | 'signed out';

let channel: BroadcastChannel | null = null;

/** From now on hears what other tabs tell that show the same service; where a browser has no such channel, nothing. */
export function listenToTabs(onNews: (news: SessionEvent) => void): void {
  if (typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel(`sendroom ${baseUrl()}`);
  channel.onmessage = ({ data }: MessageEvent<SessionEvent>) => onNews(data);
}

/** Tells it to the other tabs. */
export function notifyTabs(news: SessionEvent): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel?.postMessage(news);
}
