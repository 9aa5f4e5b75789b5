import { MethodNotAllowedError } from '../../lib/errors.ts';
import { intendedMethod, readAlternateForm } from '../../lib/http/alternate-form.ts';
import type { OpenCall } from '../../lib/http/call.ts';
import { type Handler, type OpenConfigured, openHandler } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import { latestVersionHeader } from '../../lib/http/steps/version-header.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { singleParameters } from '../../lib/single-parameters.ts';
import { allowedMethods } from '../router.ts';

/** What this LRS speaks; nobody has to be known or to name a version for it (xAPI 1.0.3 Communication 2.8). */
export function aboutHandlers(open: OpenConfigured): Record<'getAbout', Handler> {
  return { getAbout: openHandler(open, getAbout, { version: latestVersionHeader() }) };
}

/** A POST is a GET in the alternate request syntax or nothing (xAPI 1.0.3 Communication 1.3). */
async function getAbout(call: OpenCall): Promise<HttpResponse> {
  const { method, lrs } = call;
  const alternate = method === 'POST' && call.query.has('method');
  const intended = alternate ? intendedMethod(call.query) : method;
  if (intended !== 'GET' && intended !== 'HEAD') {
    throw new MethodNotAllowedError(`about does not answer ${intended}.`, allowedMethods(call));
  }
  singleParameters(alternate ? readAlternateForm(call).query() : call.query, []);
  return json(200, { version: lrs.config.lrs.supportedVersions });
}
