import { baseUrl } from '../api/client.ts';

/** The messages between tabs. */
export type SessionEvent = 'signed in' | 'signed out';

let channel: BroadcastChannel | null = null;

/**
 * Calls `onNews` with the messages of other tabs of the same service. Does nothing in a browser without
 * BroadcastChannel.
 */
export function listenToTabs(onNews: (news: SessionEvent) => void): void {
  if (typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel(`sendroom ${baseUrl()}`);
  channel.onmessage = ({ data }: MessageEvent<SessionEvent>) => onNews(data);
}

/** Sends a message to the other tabs. */
export function notifyTabs(news: SessionEvent): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel?.postMessage(news);
}
