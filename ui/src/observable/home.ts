/** Where the service is: the folder that the page came from, under whatever path a proxy or gateway puts before it. */
export const home = new URL('.', window.location.href.split(/[?#]/)[0]);

/**
 * The key of a value that this browser keeps. Services below different paths, such as the stores of an installation, share what
 * a browser keeps for their origin, so each has keys of its own.
 */
export const storageKey = (name: string): string =>
  `serverless-lrs.${home.pathname === '/' ? '' : `${home.pathname}.`}${name}`;
