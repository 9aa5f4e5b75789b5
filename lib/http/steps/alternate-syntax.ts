import type { Request } from '@middy/core';
import { InvalidError } from '../../errors.ts';
import { negotiateVersion } from '../../xapi/version.ts';
import { type AlternateForm, broken, intendedMethod, readAlternateForm } from '../alternate-form.ts';
import { bodyLimit } from '../body.ts';
import type { Step, XapiCall } from '../call.ts';
import { authenticate } from './authenticate.ts';
import { readBodyOf } from './read-body.ts';

/**
 * Turns a POST with `?method=…` into the call that it stands for: the form's header parameters become headers, `content`
 * becomes the body, the rest becomes the query. Only 1.0.x has this syntax. The credentials are in the body, so it is read
 * before they are known, in the memory for bodies of unknown senders. The bearer has to be known before content and
 * query are decoded: that of a large form takes long, and nobody should make the server work whom it doesn't know.
 */
export function alternateSyntax(): Step<XapiCall> {
  const { before: authenticateBefore } = authenticate();
  const alternateSyntaxBefore = (request: Request<XapiCall>): Promise<void> | undefined => {
    const { event } = request;
    return event.method === 'POST' && event.query.has('method') ? rewrite(request) : undefined;
  };
  const rewrite = async (request: Request<XapiCall>): Promise<void> => {
    const { event } = request;
    const method = intendedMethod(event.query);
    await readBodyOf(event, { limit: bodyLimit(event.lrs.config.webserver), authenticated: false });
    const form = readAlternateForm(event);
    event.headers = { ...event.headers, ...form.headers };
    refuseOtherVersions(event, method);
    await authenticateBefore?.(request);
    Object.assign(event, { method, query: form.query(), body: await bodyOf(method, form) });
  };
  return { before: alternateSyntaxBefore };
}

function refuseOtherVersions({ headers, lrs }: XapiCall, method: string): void {
  const version = negotiateVersion(headers['x-experience-api-version'], lrs.config.lrs.supportedVersions);
  if (version === '1.0.3') return;
  throw new InvalidError(
    `xAPI ${version} has no alternate request syntax; send the ${method} request itself.`,
  );
}

async function bodyOf(method: string, form: AlternateForm): Promise<Buffer> {
  const content = await form.content();
  if ((method === 'PUT' || method === 'POST') && content === undefined) {
    throw broken(
      'content',
      `A ${method} in the alternate request syntax carries its body in the form parameter content`,
    );
  }
  return content ?? Buffer.alloc(0);
}
