import type { Call } from '../../lib/http/call.ts';
import { type Handler, type Open, openDoor } from '../../lib/http/door.ts';
import { json } from '../../lib/http/responses.ts';
import { latestVersionHeader } from '../../lib/http/steps/version-header.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** What this LRS speaks; nobody has to be known or to name a version for it (xAPI 1.0.3 Communication 2.8). */
export function aboutDoors(open: Open): Record<'getAbout', Handler> {
  return { getAbout: openDoor(open, getAbout, latestVersionHeader()) };
}

async function getAbout({ lrs }: Call): Promise<HttpResponse> {
  return json(200, { version: lrs.config.lrs.supportedVersions });
}
