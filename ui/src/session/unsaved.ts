/** Asks before something is done that takes the page away. */
type Guard = (leave: () => void) => void;

let guard: Guard | undefined;

/** Has somebody asked while there is something to lose. @returns what ends that. */
export function guardPage(asks: Guard): () => void {
  guard = asks;
  return () => {
    if (guard === asks) guard = undefined;
  };
}

/** Does what takes the page away without a navigation, such as signing out; where something would be lost, after a question. */
export function leavePage(leave: () => void): void {
  if (guard === undefined) leave();
  else guard(leave);
}
