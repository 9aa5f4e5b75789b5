import { type Finding, failed, ok, warning } from './finding.ts';

const day = 24 * 3600 * 1000;
/** A certificate that is renewed automatically is renewed earlier than so many days before its end. */
const renewedBefore = 14;

/** @param validTo as certificates tell it, e.g. `Nov 25 12:00:00 2027 GMT`. */
export function expiryFinding(check: string, validTo: string, now = Date.now()): Finding {
  const days = Math.floor((Date.parse(validTo) - now) / day);
  if (days < 0) return failed(check, `The certificate has expired on ${validTo}.`);
  const message = `The certificate is valid for ${days} more days, until ${validTo}.`;
  return days < renewedBefore ? warning(check, `${message} Renew it.`) : ok(check, message);
}
