import { insidesOfAnswer } from '../support/disclosure/texts.ts';

export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * What is wrong with an answer to whatever was sent: a status of 500 or more other than 503, a 503 that does not say when to
 * come back, an error that is not well-formed JSON, or one that shows a stack trace or SQL.
 * @param sent the request as text; what it contains is not the server's own.
 */
export function brokenRules({ status, headers, body }: CheckedAnswer, sent = ''): string[] {
  if (status < 400) return [];
  const broken: string[] = [];
  if (status >= 500 && status !== 503) broken.push(`answered with status ${status}`);
  if (status === 503 && headers['retry-after'] === undefined) broken.push('answered 503 without Retry-After');
  if (/^application\/json/.test(String(headers['content-type'])) && body.length > 0) {
    const text = body.toString('utf8');
    if (!isErrorJson(text)) broken.push(`answered ${status} with a body that is not an error in JSON`);
    broken.push(...insidesOfAnswer(text, sent).map((shown) => `an answer ${status} shows ${shown}`));
  }
  return broken;
}

function isErrorJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'error' in value;
  } catch {
    return false;
  }
}
