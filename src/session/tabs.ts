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
