import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// What Mantine asks of a browser and jsdom does not have.

window.matchMedia = (media) => ({
  media,
  matches: false,
  onchange: null,
  addListener: () => {},
  removeListener: () => {},
  addEventListener: () => {},
  removeEventListener: () => {},
  dispatchEvent: () => false,
});

window.ResizeObserver = class implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

Element.prototype.scrollIntoView = () => {};

afterEach(cleanup);
// Only a page that never shows what is waited for reaches it, on a busy machine too.
configure({ asyncUtilTimeout: 15_000 });
