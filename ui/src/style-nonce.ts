const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

/** The Content-Security-Policy permits style elements that carry this; the server draws another for every load of the page. */
export const styleNonce = (): string => nonce;
