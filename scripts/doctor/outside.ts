import { randomUUID } from 'node:crypto';
import { expiryFinding } from './certificate.ts';
import { type Answer, type Sent, send } from './exchange.ts';
import { type Finding, failed, lookedAt, ok, warning } from './finding.ts';

/** Seconds that the clock of the server may differ. */
const skew = { warning: 2, failed: 60 };
/** Bytes of a query and of a body that a server of this kind takes, and proxies often do not. */
const large = { query: 16_000, body: 2_000_000 };

const trustAdvice =
  'Use one that clients trust (keyPkeyFile, keyCertChain). To trust this one here, set NODE_EXTRA_CA_CERTS to its PEM file, such as config/server.selfsigned.crt.pem.';

const version = { 'x-experience-api-version': '1.0.3' };

/**
 * Examines a server as its clients see it, without credentials: nothing is stored.
 * @param address of the service, e.g. `https://lrs.example.org`; one that ends in `/xapi` is that of the xAPI.
 */
export async function examineOutside(address: string): Promise<readonly Finding[]> {
  if (!/^https?:\/\/[^/]/i.test(address) || !URL.canParse(address)) {
    return [failed('address', 'That is not an address such as https://lrs.example.org.')];
  }
  const base = address.replace(/\/+$/, '');
  const xapi = /\/xapi$/.test(base) ? base : `${base}/xapi`;
  const about = await lookedAt('reachable', async () => reachable(await send(`${xapi}/about`)));
  if (!about.some(({ check, outcome }) => check === 'reachable' && outcome === 'ok')) return about;
  const parts = await Promise.all([
    lookedAt('redirect', () => redirect(xapi)),
    lookedAt('version header', () => versionHeader(xapi)),
    lookedAt('consistent-through', () => consistentThrough(xapi)),
    lookedAt('authorization', () => authorization(xapi)),
    lookedAt('CORS', () => preflight(xapi)),
    lookedAt('long queries', () => longQuery(xapi)),
    lookedAt('large bodies', () => largeBody(xapi)),
  ]);
  return [...about, ...parts.flat()];
}

function reachable(answer: Answer): Finding[] {
  const { status, headers, certificate } = answer;
  const found: Finding[] = [];
  if (certificate === undefined) found.push(warning('TLS', 'Key pairs are sent in clear: use https.'));
  else {
    const { error, protocol, validTo } = certificate;
    found.push(
      error === undefined
        ? ok('TLS', `${protocol}; the certificate is trusted.`)
        : failed('TLS', `${protocol}; the certificate is not trusted: ${error}. ${trustAdvice}`),
      expiryFinding('certificate', validTo),
      headers['strict-transport-security'] === undefined
        ? warning('HSTS', 'The header Strict-Transport-Security is missing: behind a proxy set trustProxy.')
        : ok('HSTS', String(headers['strict-transport-security'])),
    );
  }
  if (status !== 200 || !isJson(answer)) {
    const by = status === 503 ? 'in maintenance, or not by an LRS' : 'not by an LRS';
    return [...found, failed('reachable', `/xapi/about is answered ${status}, ${by}.`)];
  }
  return [...found, ok('reachable', `/xapi/about is answered: ${answer.text}.`), clock(answer)];
}

function clock({ headers: { date }, sentAt, receivedAt }: Answer): Finding {
  if (date === undefined) return warning('clock', 'The header Date is missing.');
  // The header has whole seconds.
  const [early, late] = [(sentAt - Date.parse(date)) / 1000 - 1, (Date.parse(date) - receivedAt) / 1000];
  const seconds = Math.max(0, Math.ceil(Math.max(early, late)));
  const message = `The clocks of the server and of this machine differ by ${seconds} s.`;
  if (seconds > skew.failed) return failed('clock', message);
  return seconds > skew.warning ? warning('clock', message) : ok('clock', message);
}

async function redirect(xapi: string): Promise<Finding[]> {
  if (!xapi.startsWith('https:')) return [];
  const plain = new URL(`${xapi}/about`);
  if (plain.port !== '') return [];
  plain.protocol = 'http:';
  const answer = await send(plain.href).catch(() => undefined);
  if (answer === undefined) return [ok('redirect', 'Nothing answers by HTTP.')];
  const { status, headers } = answer;
  const isRedirect = status >= 300 && status < 400 && /^https:/.test(headers.location ?? '');
  return isRedirect
    ? [ok('redirect', `HTTP is redirected to ${headers.location}.`)]
    : [warning('redirect', `HTTP is answered ${status}, not redirected to HTTPS.`)];
}

async function versionHeader(xapi: string): Promise<Finding[]> {
  const { headers } = await send(`${xapi}/about`);
  const given = headers['x-experience-api-version'];
  if (given === undefined) {
    return [failed('version header', 'X-Experience-API-Version is missing in answers: a proxy removes it.')];
  }
  const { text } = await send(`${xapi}/statements`, { headers: version });
  return /X-Experience-API-Version/.test(text)
    ? [failed('version header', 'X-Experience-API-Version does not reach the server: a proxy removes it.')]
    : [ok('version header', `X-Experience-API-Version passes both ways: ${given}.`)];
}

/** The time itself says nothing: a request without credentials is told only what the process that answers happens to know. */
async function consistentThrough(xapi: string): Promise<Finding[]> {
  const { headers } = await send(`${xapi}/statements`, { headers: version });
  const text = headers['x-experience-api-consistent-through'];
  return typeof text === 'string' && !Number.isNaN(Date.parse(text))
    ? [ok('consistent-through', 'X-Experience-API-Consistent-Through is in answers.')]
    : [failed('consistent-through', 'X-Experience-API-Consistent-Through is missing in answers.')];
}

async function authorization(xapi: string): Promise<Finding[]> {
  const pair = Buffer.from(`doctor-${randomUUID()}:none`).toString('base64');
  const headers = { ...version, authorization: `Basic ${pair}` };
  const { status, text } = await send(`${xapi}/statements`, { headers });
  if (status === 401 && /missing/.test(text)) {
    return [
      failed('authorization', 'The header Authorization does not reach the server: a proxy removes it.'),
    ];
  }
  return status === 401
    ? [ok('authorization', 'An unknown key pair is refused with 401.')]
    : [failed('authorization', `An unknown key pair is answered ${status} instead of 401.`)];
}

async function preflight(xapi: string): Promise<Finding[]> {
  const { origin } = new URL(xapi);
  const asked = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,x-experience-api-version',
  };
  const { status, headers } = await send(`${xapi}/statements`, { method: 'OPTIONS', headers: asked });
  const allowed = headers['access-control-allow-origin'];
  return status < 300 && (allowed === origin || allowed === '*')
    ? [ok('CORS', `Pages of ${origin} may call the xAPI.`)]
    : [
        failed(
          'CORS',
          `The preflight request of ${origin} is answered ${status} without Access-Control-Allow-Origin: a proxy changes Host (set trustProxy) or answers OPTIONS.`,
        ),
      ];
}

async function longQuery(xapi: string): Promise<Finding[]> {
  const answer = await send(`${xapi}/statements?agent=${'a'.repeat(large.query)}`, { headers: version });
  return isOfServer(answer)
    ? [ok('long queries', `A query of ${large.query} bytes reaches the server.`)]
    : [
        warning(
          'long queries',
          `A query of ${large.query} bytes is refused with ${answer.status} before the server: raise the limit of headers of the proxy.`,
        ),
      ];
}

async function largeBody(xapi: string): Promise<Finding[]> {
  const sent: Sent = { method: 'POST', headers: version, body: Buffer.alloc(large.body, ' ') };
  const answer = await send(`${xapi}/statements`, sent);
  return isOfServer(answer)
    ? [ok('large bodies', `A body of ${large.body} bytes reaches the server.`)]
    : [
        warning(
          'large bodies',
          `A body of ${large.body} bytes is refused with ${answer.status} before the server: raise the limit of bodies of the proxy.`,
        ),
      ];
}

/** Errors of the server are JSON with a code, those of proxies are pages. */
const isOfServer = (answer: Answer): boolean => isJson(answer) && /"code":/.test(answer.text);

const isJson = ({ headers }: Answer): boolean => /^application\/json/.test(headers['content-type'] ?? '');
