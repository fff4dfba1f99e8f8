// Where a navigation reaches neither network nor service, a browser shows an error of its own. This answers with a page in our words instead, which
// opens what was asked for as soon as that can be reached. It stores nothing, and everything else goes past it: what the
// console shows is from the service or is not shown.

addEventListener('install', (event) => {
  skipWaiting();
  // Without it the browser starts this worker for every request of a page. Not every browser has it.
  if (event.addRoutes)
    event.waitUntil(event.addRoutes({ condition: { not: { requestMode: 'navigate' } }, source: 'network' }));
});

// The browser asks for the page while it starts this worker. The request is the navigation itself, so that the page has its session.
addEventListener('activate', (event) => event.waitUntil(registration.navigationPreload?.enable()));

addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(answer(event));
});

async function answer({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return unreachable();
  }
}

/** The colours are those of src/ui/global.css. */
const STYLE = `
  :root { color-scheme: light dark; }
  body {
    display: grid; align-content: center; justify-items: center; min-height: 100dvh; margin: 0; padding: 24px; box-sizing: border-box;
    background: light-dark(#f7f9fa, #141a20); color: light-dark(#232b32, #dfe5e9);
    font: 0.875rem / 1.5 system-ui, sans-serif; overflow-wrap: anywhere;
  }
  main { max-width: 26rem; }
  h1 { margin: 12px 0 4px; font-size: 1.25rem; font-weight: 650; line-height: 1.3; }
  p { margin: 0 0 16px; color: light-dark(#505d68, #aeb9c1); }
  button {
    padding: 8px 16px; border: 0; border-radius: 6px; background: light-dark(#0f7078, #6fc3c7); color: light-dark(#fff, #11171c);
    font: inherit; font-weight: 600; cursor: pointer;
  }
  :focus-visible { outline: 2px solid light-dark(#0f7078, #6fc3c7); outline-offset: 2px; }
`;

// These two run in the page that is shown.

async function look() {
  const options = { method: 'HEAD', headers: { accept: 'text/html' }, cache: 'no-store' };
  const response = await fetch(location.href, options).catch(() => null);
  // A proxy answers for a service that is down.
  if (response !== null && response.status < 500) location.reload();
}

function waitForService() {
  try {
    const chosen = localStorage.getItem('mantine-color-scheme-value');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.style.colorScheme = chosen;
  } catch {
    // Storage can be forbidden; the system's scheme serves then.
  }
  document.querySelector('button').addEventListener('click', () => location.reload());
  addEventListener('online', () => void look());
  setInterval(look, 5000);
}

function unreachable() {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; img-src data:; form-action 'none'; frame-ancestors 'none'`;
  return new Response(
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>No connection · Sendroom</title>
    <link rel="icon" href="data:," />
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f7078"/><path d="M7 11.5 16 18l9-6.5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/><path d="M9 22.5h14" fill="none" stroke="#75c1c4" stroke-width="2.4" stroke-linecap="round"/></svg>
      <h1>Sendroom cannot be reached</h1>
      <p>You may be offline, or the service may be down. This page opens as soon as the connection is back.</p>
      <button type="button">Try again</button>
    </main>
    <script nonce="${nonce}">${String(look)} (${String(waitForService)})()</script>
  </body>
</html>`,
    {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy,
      },
    },
  );
}
