import { InvalidError } from '../errors.ts';
import { decodeFormContent, decodeFormText, type FormField, formFields } from './encoding.ts';
import type { HttpRequest } from './types.ts';

/** Where the alternate request syntax is ruled. */
const section = 'xAPI 1.0.3 Communication 1.3';

const methods = ['GET', 'PUT', 'POST', 'DELETE'];

/** The form parameters that stand for headers. */
const headerNames = new Set([
  'authorization',
  'x-experience-api-version',
  'content-type',
  'content-length',
  'if-match',
  'if-none-match',
]);

/** Characters, percent-encoded; longer names are none of these, and longer values can't be meant as headers. */
const longest = { name: 100, value: 16_384 };

/** Characters of all parameters of the call together, percent-encoded: four times what fits into the query of a request. */
const longestParameters = 256 * 1024;

/** The method in the query of such a request. @throws InvalidError when there is anything else. */
export function intendedMethod(query: URLSearchParams): string {
  const [method = '', ...more] = query.getAll('method');
  const others = [...query.keys()].filter((name) => name !== 'method');
  if (others.length > 0 || more.length > 0) {
    throw broken(
      'method',
      'The alternate request syntax permits no query parameter besides one method; all others belong into the form',
    );
  }
  if (!methods.includes(method)) {
    throw broken('method', `The query parameter method must be one of ${methods.join(', ')}`);
  }
  return method;
}

/** The form of such a request. Only the headers are decoded already. */
export interface AlternateForm {
  readonly headers: Readonly<Record<string, string>>;
  /** The parameters of the call. @throws InvalidError when they are not percent-encoded UTF-8, or too long. */
  query(): URLSearchParams;
  /** The body of the call; undefined when there is none. Rejects with InvalidError when it is not percent-encoded UTF-8. */
  content(): Promise<Buffer | undefined>;
}

/** Browsers that need this syntax cannot set headers; some of them send every body as text/plain. */
const formTypes = /^(application\/x-www-form-urlencoded|text\/plain)\s*(;|$)/i;

/** @throws InvalidError when the body is no form, or a header or the content occurs twice. */
export function readAlternateForm({ headers, body }: HttpRequest): AlternateForm {
  const type = headers['content-type'];
  if (type !== undefined && !formTypes.test(type)) {
    throw broken(
      'Content-Type',
      'A request in the alternate request syntax has the Content-Type application/x-www-form-urlencoded',
    );
  }
  const parameters: FormField[] = [];
  const taken = new Map<string, string>();
  for (const field of formFields(body)) {
    const name = roleOf(field.name);
    if (name === undefined) parameters.push(field);
    else if (taken.has(name)) throw broken(name, `The form parameter ${name} must not occur twice`);
    else taken.set(name, field.value);
  }
  const content = taken.get('content');
  taken.delete('content');
  const sent = [...taken].map(([name, value]) => [name, headerValue(name, value)]);
  return {
    headers: { 'content-type': 'application/json', ...Object.fromEntries(sent) },
    query: () => queryOf(parameters),
    content: async () => (content === undefined ? undefined : decodeFormContent(content)),
  };
}

function queryOf(parameters: readonly FormField[]): URLSearchParams {
  const length = parameters.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (length > longestParameters) {
    throw broken('query', `The parameters of the form are longer than ${longestParameters} characters`);
  }
  return new URLSearchParams(parameters.map(decoded));
}

function decoded({ name, value }: FormField): [string, string] {
  return [decodeFormText(name), decodeFormText(value)];
}

/** `content`, or the name of the header that the field stands for; undefined for a parameter of the call. */
function roleOf(field: string): string | undefined {
  if (field.length > longest.name) return undefined;
  const name = decodeFormText(field);
  const header = name.toLowerCase();
  return name === 'content' || headerNames.has(header) ? header : undefined;
}

function headerValue(name: string, value: string): string {
  if (value.length <= longest.value) return decodeFormText(value);
  throw broken(name, `The form parameter ${name} is longer than a header may be`);
}

/** What breaks a rule of the alternate request syntax; the sentence has no period. */
export function broken(path: string, sentence: string): InvalidError {
  return new InvalidError(`${sentence} (${section}).`, { details: [{ path, message: sentence, section }] });
}
