/**
 * Headers as the variable `OTEL_EXPORTER_OTLP_HEADERS` of OpenTelemetry has them: `name=value,name=value`, values
 * percent-encoded.
 * @throws Error that names the setting, and shows nothing of the text.
 */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = text === '' ? [] : text.split(',');
  return Object.fromEntries(pairs.map(parsePair));
}

function parsePair(pair: string): [name: string, value: string] {
  const [, name, value = ''] = /^ *([^=\s]+)=(\S*) *$/.exec(pair) ?? [];
  try {
    if (name !== undefined) return [name, decodeURIComponent(value)];
  } catch {
    // Falls through to the same refusal.
  }
  throw new Error(
    'telemetry.otlpHeaders (LRS_OTLP_HEADERS) must be pairs of name=value, separated by commas, with values that are percent-encoded.',
  );
}
