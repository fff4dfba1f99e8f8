import { cleanup } from '@testing-library/react';
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
