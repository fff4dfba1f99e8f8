// Before the first paint: the colour scheme the person chose, or the system's. A file of its own, because the content
// security policy allows no inline script.
(() => {
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
})();
