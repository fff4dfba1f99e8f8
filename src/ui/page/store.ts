import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

export type Store<Value> = {
  read: () => Value;
  write: (value: Value) => void;
  subscribe: (listener: () => void) => () => void;
};

/** A value of the page, which outlasts its components. */
export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const { notify, subscribe } = createListeners();
  return {
    read: () => value,
    write: (next) => {
      value = next;
      notify();
    },
    subscribe,
  };
}

/** The value, also after it has changed. */
export const useStore = <Value>(store: Store<Value>): Value => useSyncExternalStore(store.subscribe, store.read);
