/** The address with which an OpenID provider has sent the browser back; undefined when it has not, or once it is taken. */
let answer = answerInAddress();

/** A code counts once, so it is there once. */
export function takeProviderAnswer(): string | undefined {
  const taken = answer;
  answer = undefined;
  return taken;
}

/** Code and state leave the address bar before anything else happens. */
function answerInAddress(): string | undefined {
  const { href, search, pathname, hash } = window.location;
  const query = new URLSearchParams(search);
  if (!query.has('state') || !(query.has('code') || query.has('error'))) return undefined;
  window.history.replaceState(window.history.state, '', pathname + hash);
  return href;
}
