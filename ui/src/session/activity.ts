import { StoredText } from '../observable/stored-text.ts';

/** When the operator last did something in any tab. */
const lastUse = new StoredText('last-use');
const uses = ['pointerdown', 'keydown', 'wheel', 'touchstart'];
/** Milliseconds; more exactly nobody needs to know it. */
const grain = 2_000;

/** Milliseconds since the epoch, by this machine's clock. */
export function lastActivity(): number {
  return Number(lastUse.get() ?? 0);
}

/** Notes what the operator does, and calls whenever he does something here or in another tab. @returns what stops it. */
export function watchActivity(notice: () => void): () => void {
  const note = (): void => {
    if (Math.abs(Date.now() - lastActivity()) >= grain) lastUse.set(String(Date.now()));
  };
  const options = { capture: true, passive: true };
  for (const use of uses) window.addEventListener(use, note, options);
  const forget = lastUse.subscribe(notice);
  // Opening or reloading the page is use, too.
  note();
  return () => {
    for (const use of uses) window.removeEventListener(use, note, options);
    forget();
  };
}
