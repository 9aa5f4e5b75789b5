import { useSyncExternalStore } from 'react';
import { storageKey } from './home.ts';

/** A text that this browser keeps, the same in all its tabs. */
export class StoredText {
  readonly #key: string;
  readonly #listeners = new Set<() => void>();

  constructor(name: string) {
    this.#key = storageKey(name);
    window.addEventListener('storage', ({ key }) => {
      if (key === this.#key || key === null) this.#tell();
    });
  }

  readonly get = (): string | undefined => localStorage.getItem(this.#key) ?? undefined;

  set(text: string | undefined): void {
    if (text === undefined) localStorage.removeItem(this.#key);
    else localStorage.setItem(this.#key, text);
    this.#tell();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export function useStoredText(text: StoredText): string | undefined {
  return useSyncExternalStore(text.subscribe, text.get);
}
