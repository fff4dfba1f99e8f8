// What does not wait for the console. The build puts it into the page, whose content security policy has its hash.
(() => {
  // Before the first paint: the colour scheme the person chose, or the system's.
  let chosen;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage can be forbidden; the system's scheme serves then.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
  const { content: path } = document.querySelector('meta[name="sendroom-path"]');
  const worker = `${path}/worker.js`;
  if (window.trustedTypes) {
    // Mantine writes its variables through innerHTML of a style element; anything that could be markup is refused.
    window.trustedTypes.createPolicy('default', {
      createHTML(text) {
        if (text.includes('<')) throw new Error('No markup.');
        return text;
      },
      createScriptURL(url) {
        if (url !== worker) throw new Error('No script.');
        return url;
      },
    });
  }
  // For navigations that reach nothing. A console on a static host has none. Long after the first page, which needs the
  // network and the processor. The console works without it; the browser's log has the reason.
  // oxlint-disable-next-line no-console
  const register = () => navigator.serviceWorker?.register(worker).catch(console.warn);
  if (!document.querySelector('meta[name="sendroom-elsewhere"]')) {
    addEventListener('load', () => setTimeout(register, 3000));
  }
  const session = document.querySelector('#session');
  // A page out of the history is as it was: its session may have ended since. Then the console asks.
  const [navigation] = performance.getEntriesByType('navigation');
  if (!['navigate', 'reload'].includes(navigation?.type)) return session?.remove();
  // So it does after a sign-in or a sign-out in another tab before it listens itself (src/session/session.ts).
  if (window.BroadcastChannel) {
    new BroadcastChannel(`sendroom ${location.origin}${path}`).onmessage = () => {
      session?.remove();
      window.sendroomFirstRead = undefined;
    };
  }
  // The first data of the page, for which the service names the call where it knows the session (src/api/firstRead.ts).
  const first = document.querySelector('meta[name="sendroom-reads"]');
  if (first) {
    const { workspace } = first.dataset;
    const control = new AbortController();
    const response = fetch(first.content, {
      headers: {
        accept: 'application/json',
        'sendroom-console': '1',
        ...(workspace && { 'sendroom-workspace': workspace }),
      },
      redirect: 'manual',
      signal: control.signal,
    });
    // A failure is handled where the response is taken; it may never be.
    response.catch(() => {});
    window.sendroomFirstRead = { address: first.content, response, control };
    // The first date and the first number make a browser read its tables of languages, 20 ms and on a phone 80: now, while
    // the console is on its way.
    (window.requestIdleCallback ?? setTimeout)(() => new Date(0).toLocaleString() + (0).toLocaleString());
  }
})();
