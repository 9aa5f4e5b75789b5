import type { Request } from '@middy/core';
import { NotFoundError, UnauthenticatedError } from '../../lib/errors.ts';
import { bearerToken } from '../../lib/http/bearer.ts';
import type { OpenCall, Step } from '../../lib/http/call.ts';
import { type Handler, type OpenConfigured, openHandler } from '../../lib/http/handler.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { type MetricsPage, metricsType, permits, served } from '../../lib/telemetry/metrics-page.ts';

/** The metrics of the Node.js server, in the text format of Prometheus, where they have no port of their own. */
export function metricsHandlers(configured: OpenConfigured): Record<'getMetrics', Handler> {
  return { getMetrics: openHandler(configured, getMetrics, { more: [challenge()] }) };
}

/** The same at the port that `metricsPort` sets. */
export function metricsPortHandler(configured: OpenConfigured): Handler {
  return openHandler(configured, async (call) => metricsAnswer(served.page, call), { more: [challenge()] });
}

/** Names the scheme of the credentials that are missing (RFC 9110 11.6.1). */
function challenge(): Step<OpenCall> {
  const challengeOnError = ({ response }: Request<OpenCall, HttpResponse>): void => {
    if (response?.statusCode === 401) response.headers['WWW-Authenticate'] = 'Bearer realm="LRS metrics"';
  };
  return { onError: challengeOnError };
}

async function getMetrics(call: OpenCall): Promise<HttpResponse> {
  const { store } = call.lrs.config;
  if (store !== undefined) {
    throw new NotFoundError(
      `Metrics are those of the whole server, at /metrics of the default store; this is the store ${store.name}.`,
    );
  }
  const isElsewhere = call.lrs.config.telemetry.metricsPort !== null;
  return metricsAnswer(isElsewhere ? undefined : served.page, call);
}

async function metricsAnswer(page: MetricsPage | undefined, { headers }: OpenCall): Promise<HttpResponse> {
  if (page === undefined) {
    throw new NotFoundError(
      'There are no metrics here: telemetry.metricsToken (LRS_METRICS_TOKEN) has the Node.js server show them, and telemetry.metricsPort moves them to another port.',
    );
  }
  if (!permits(page, bearerToken(headers.authorization))) {
    throw new UnauthenticatedError(
      'The header Authorization must have the Bearer token of metrics (telemetry.metricsToken).',
    );
  }
  return { statusCode: 200, headers: { 'Content-Type': metricsType }, body: await page.read() };
}
