import type { Request } from '@middy/core';
import { ForbiddenError } from '../../errors.ts';
import { permits, type ScopedResource } from '../../xapi/scopes.ts';
import type { Step, XapiCall } from '../call.ts';

/** Asks whether the scopes of the key pair or token permit this method on the resource. */
export function authorise(resource: ScopedResource): Step<XapiCall> {
  const authoriseBefore = ({ event }: Request<XapiCall>): void => {
    const access = event.method === 'GET' || event.method === 'HEAD' ? 'read' : 'write';
    if (!permits(event.principal.scopes, resource, access)) {
      throw new ForbiddenError(`These credentials have no scope that permits to ${access} ${resource}.`);
    }
  };
  return { before: authoriseBefore };
}
