import type { Request } from '@middy/core';
import { InvalidError } from '../../errors.ts';
import { negotiateVersion } from '../../xapi/version.ts';
import type { Step, XapiCall } from '../call.ts';
import { decodeForm } from '../encoding.ts';
import type { HttpRequest } from '../types.ts';

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

/**
 * Turns a POST with `?method=…` into the call that it stands for: the form's header parameters become headers, `content`
 * becomes the body, the rest becomes the query. Only 1.0.x has this syntax.
 */
export function alternateSyntax(): Step<XapiCall> {
  const alternateSyntaxBefore = ({ event }: Request<XapiCall>): void => {
    if (event.method !== 'POST' || !event.query.has('method')) return;
    const method = intendedMethod(event.query);
    const form = readForm(event);
    const headers = { ...event.headers, ...form.headers };
    const version = negotiateVersion(
      headers['x-experience-api-version'],
      event.lrs.config.lrs.supportedVersions,
    );
    if (version !== '1.0.3') {
      throw new InvalidError(
        `xAPI ${version} has no alternate request syntax; send the ${method} request itself.`,
      );
    }
    if ((method === 'PUT' || method === 'POST') && form.content === undefined) {
      throw new InvalidError(
        `A ${method} in the alternate request syntax carries its body in the form parameter content (${section}).`,
      );
    }
    Object.assign(event, {
      method,
      headers,
      query: form.query,
      body: Buffer.from(form.content ?? '', 'utf8'),
    });
  };
  return { before: alternateSyntaxBefore };
}

function intendedMethod(query: URLSearchParams): string {
  const [method = '', ...more] = query.getAll('method');
  const others = [...query.keys()].filter((name) => name !== 'method');
  if (others.length > 0 || more.length > 0) {
    throw new InvalidError(
      `The alternate request syntax permits no query parameter besides one method; all others belong into the form (${section}).`,
    );
  }
  if (!methods.includes(method)) {
    throw new InvalidError(`The query parameter method must be one of ${methods.join(', ')} (${section}).`);
  }
  return method;
}

interface Form {
  readonly headers: Record<string, string>;
  readonly query: URLSearchParams;
  readonly content: string | undefined;
}

/** Browsers that need this syntax cannot set headers; some of them send every body as text/plain. */
const formTypes = /^(application\/x-www-form-urlencoded|text\/plain)\s*(;|$)/i;

function readForm({ headers, body }: HttpRequest): Form {
  const type = headers['content-type'];
  if (type !== undefined && !formTypes.test(type)) {
    throw new InvalidError(
      `A request in the alternate request syntax has the Content-Type application/x-www-form-urlencoded (${section}).`,
    );
  }
  const query = new URLSearchParams();
  const taken = new Map<string, string>();
  for (const [name, value] of decodeForm(body)) {
    const header = name.toLowerCase();
    if (name !== 'content' && !headerNames.has(header)) {
      query.append(name, value);
    } else if (taken.has(header)) {
      throw new InvalidError(`The form parameter ${name} must not occur twice (${section}).`);
    } else {
      taken.set(header, value);
    }
  }
  const content = taken.get('content');
  taken.delete('content');
  return { headers: { 'content-type': 'application/json', ...Object.fromEntries(taken) }, query, content };
}
