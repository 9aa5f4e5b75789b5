import { isIP } from 'node:net';

const withPort = /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::\d*)?$/;

/**
 * The address in a text as proxies write it, e.g. `203.0.113.7:1234` or `[2001:db8::1]:1234`: without port and brackets.
 * Undefined when the text is no address.
 */
export function plainAddress(text: string): string | undefined {
  if (isIP(text) !== 0) return text;
  const { bracketed, plain = '' } = withPort.exec(text)?.groups ?? {};
  const address = bracketed ?? plain;
  return isIP(address) === 0 ? undefined : address;
}
