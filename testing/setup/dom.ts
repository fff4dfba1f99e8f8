import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// A machine may be in UTC, where times on the page say so.
process.env.TZ = 'Europe/Berlin';

// What Mantine needs of a browser and jsdom does not have.

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

// jsdom has no modal dialogs.
Object.defineProperties(HTMLDialogElement.prototype, {
  showModal: {
    value(this: HTMLDialogElement) {
      this.open = true;
    },
  },
  close: {
    value(this: HTMLDialogElement) {
      this.open = false;
    },
  },
});

afterEach(cleanup);
// High enough for a busy machine: only a test that fails waits this long.
configure({ asyncUtilTimeout: 15_000 });
