/** A call that the page has made before the console was there (index.html). */
type FirstRead = { address: string; response: Promise<Response>; control: AbortController };

declare global {
  var sendroomFirstRead: FirstRead | undefined;
}

/** The response to the call of the page for `address`, which counts once and ends with `signal`. Undefined where there is none. */
export function takeFirstRead(address: string, signal: AbortSignal): Promise<Response> | undefined {
  const first = globalThis.sendroomFirstRead;
  if (first?.address !== address) return undefined;
  globalThis.sendroomFirstRead = undefined;
  signal.addEventListener('abort', () => first.control.abort(signal.reason));
  return first.response;
}

/** To be called when a session begins or ends: what was read for another one counts no more. */
export function dropFirstRead(): void {
  globalThis.sendroomFirstRead?.control.abort();
  globalThis.sendroomFirstRead = undefined;
}
