/** What is subscribed to: the router, which tells when it has gone to another page. */
interface Subscribed {
  subscribe(listener: () => void): () => void;
}

/**
 * Numbers the entries of the browser's history that the router has not made: addresses that were typed by hand. To an entry
 * without a number the router goes without asking, and it does not know how far back lies what was before.
 * @returns what has to be called with the router; the router has to be made after this call, because it must see the number.
 */
export function numberHistory(): (router: Subscribed) => void {
  let last = ownNumber() ?? 0;
  let address = window.location.href;
  const note = (): void => {
    last = ownNumber() ?? last;
    address = window.location.href;
  };
  window.addEventListener('popstate', () => {
    if (ownNumber() === undefined) {
      // The same address once more takes the place of its entry.
      const idx = window.location.href === address ? last : last + 1;
      window.history.replaceState({ idx }, '');
    }
    note();
  });
  return (router) => {
    router.subscribe(note);
  };
}

/** The number that the router has given to the present entry. */
function ownNumber(): number | undefined {
  const state: unknown = window.history.state;
  if (typeof state !== 'object' || state === null || !('idx' in state)) return undefined;
  return typeof state.idx === 'number' ? state.idx : undefined;
}
