import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FormalError } from './refusals.ts';

/** Finds requests by HTTPS that are for another host than the certificate, or the client's own greeting, names. */
export class HostCheck {
  #certificate: X509Certificate;

  /** @param cert in PEM form; the first one counts. */
  constructor(cert: string) {
    this.#certificate = new X509Certificate(cert);
  }

  renew(cert: string): void {
    this.#certificate = new X509Certificate(cert);
  }

  /** What is wrong with the host of the request; a formal error says that the server can't answer for it. */
  errorOf({ headers, socket }: IncomingMessage): FormalError | undefined {
    const name = hostnameOf(headers.host ?? '');
    const greeted = (socket as Partial<Pick<TLSSocket, 'servername'>>).servername;
    const isGreeted = typeof greeted !== 'string' || greeted === '' || greeted.toLowerCase() === name;
    if (name !== undefined && isGreeted && this.#names(name)) return undefined;
    return {
      code: 'invalid',
      message:
        'The header Host names another host than the certificate or the TLS handshake; webserver.enableSni (LRS_CHECK_SNI) asks for the same.',
    };
  }

  #names(name: string): boolean {
    const found = isIP(name) === 0 ? this.#certificate.checkHost(name) : this.#certificate.checkIP(name);
    return found !== undefined;
  }
}

/** In lower case, without port and brackets. */
function hostnameOf(host: string): string | undefined {
  const address = `https://${host}`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '') : undefined;
}
