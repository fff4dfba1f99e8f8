// What does not wait for the console. A file of its own, because the content security policy allows no inline script.
(() => {
  // Before the first paint: the colour scheme the person chose, or the system's.
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage can be forbidden; the system's scheme serves then.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  if (window.trustedTypes) {
    // Mantine writes its variables through innerHTML of a style element; anything that could be markup is refused.
    window.trustedTypes.createPolicy('default', {
      createHTML(text) {
        if (text.includes('<')) throw new TypeError('Markup is never written as text here.');
        return text;
      },
    });
  }
  // A page out of the history is as it was: its session may have ended since. Then the console asks.
  const [navigation] = performance.getEntriesByType('navigation');
  if (!['navigate', 'reload'].includes(navigation?.type)) {
    document.getElementById('session')?.remove();
    return;
  }
  if (document.getElementById('session') && window.BroadcastChannel) {
    // Until the console listens: after a sign-in or a sign-out in another tab it has to ask (src/session/session.ts).
    const { content } = document.querySelector('meta[name="sendroom-path"]');
    new BroadcastChannel(`sendroom ${location.origin}${content}`).onmessage = () => {
      document.getElementById('session')?.remove();
      globalThis.sendroomFirstRead?.control.abort();
      globalThis.sendroomFirstRead = undefined;
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
    // Whoever takes it hears of a failure; perhaps nobody does.
    response.catch(() => undefined);
    globalThis.sendroomFirstRead = { address: first.content, response, control };
  }
})();
