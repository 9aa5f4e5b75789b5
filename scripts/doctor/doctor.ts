import type { ConfigSource } from '../../config/sources.ts';
import type { Outcome } from '../operator/outcome.ts';
import type { Finding } from './finding.ts';
import { examineHere } from './here.ts';
import { examineOutside } from './outside.ts';

/**
 * Examines the installation of a configuration or, with an address, a server as its clients see it.
 * @param url empty for the installation.
 */
export async function doctor(url: string, source: ConfigSource): Promise<Outcome> {
  const findings = url === '' ? await examineHere(source) : await examineOutside(url);
  const count = (outcome: Finding['outcome']): number =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const [failures, warnings] = [count('failed'), count('warning')];
  const lines = findings.map(
    ({ check, outcome, message }) => `${outcome.padEnd(8)} ${check.padEnd(20)} ${message}`,
  );
  return {
    lines: [...lines, `${findings.length} checks; failed: ${failures}, warnings: ${warnings}.`],
    value: { findings, failed: failures, warnings },
    ok: failures === 0,
  };
}
