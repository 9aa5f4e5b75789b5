import Joi from 'joi';
import { flag, ignored, integer, list, port, text } from './kinds.ts';

const pathPattern = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** Host, ports and paths. */
const address = {
  enableHttp: flag('Listen on `httpPort` for plain HTTP. The HTTPS port is always served.').default(true),
  httpHost: text('Address to bind.').default('0.0.0.0'),
  httpPort: port('Port of HTTP; 0: the system picks one.').default(8080),
  sslPort: port('Port of HTTPS, another than `httpPort`; 0: the system picks one.').default(8443),
  urlPrefix: text('Path of the xAPI resources, also at the start of `more`.', {
    kind: 'a path that starts with / and ends without one, not under /admin',
  })
    .pattern(pathPattern)
    .pattern(/^\/admin(?:\/|$)/, { invert: true })
    .default('/xapi'),
  proxyPath: text('Path under which a proxy serves the whole service; told to the admin screen.', {
    kind: 'a path that starts with / and ends without one',
  })
    .pattern(pathPattern)
    .default(null),
  trustProxy: flag(
    'Believe `X-Forwarded-For`, `-Host` and `-Proto`. Only for a service that is reached through a proxy and nothing else.',
  ).default(false),
  enableHttp2: ignored(
    'HTTP/1.1 is served, because hostile clients can end a process that serves HTTP/2 with Node.js; a proxy in front may speak HTTP/2 to clients',
    'Offer HTTP/2 beside HTTP/1.1.',
  ),
  enableSni: flag(
    'Refuse requests by HTTPS whose `Host` is not named by the certificate, or by the TLS handshake (SNI).',
    { env: 'CHECK_SNI' },
  ).default(false),
  authByCredId: flag(
    'Let calls of the xAPI come with the token of a login and the id of a key pair of that account in the parameter `credentialID`, in place of the key pair.',
  ).default(false),
};

/** What clients may use of the server. */
const limits = {
  maxBodyBytes: integer('Largest request body in bytes; beyond it the answer is 413.')
    .min(1024)
    .default(10_485_760),
  maxUnauthenticatedBodyBytes: integer(
    'Largest body in bytes of a request that needs no authentication, such as a login; beyond it the answer is 413.',
  )
    .min(1024)
    .default(65_536),
  maxAdminBodyBytes: integer(
    'Largest body in bytes of a request to the administration interface, and of the announcement of an attachment; beyond it the answer is 413.',
  )
    .min(1024)
    .default(65_536),
  maxBufferedBodyBytes: integer(
    'Bytes that the request bodies of a process may take in memory together; beyond it the answer is 503. A body is accepted while there are no others, whatever its size up to `maxBodyBytes`. An eighth is for requests whose credentials are in the body.',
  )
    .min(1024)
    .default(100_663_296),
  minBodyBytesPerSecond: integer(
    'Slowest rate at which a request body may arrive, measured over 15 s; below it the answer is 408. 0: no minimum.',
  )
    .min(0)
    .default(1024),
  maxConnections: integer(
    'Connections that a process accepts. A new one above it replaces an idle one; while all have requests in progress it is closed, over HTTP with 503. 128 file descriptors are left for the database in any case. 0: no further limit.',
  )
    .min(0)
    .default(2048),
  maxConnectionsPerAddress: integer(
    'Connections that a process accepts from one client: an IPv4 address or an IPv6 network of 64 bits. 0: no limit. Has no effect with `trustProxy`.',
  )
    .min(0)
    .default(512),
  rateLimitPerKeyPair: integer(
    'Requests per second of one key pair, or bearer of a token, to the xAPI in all processes together; beyond it the answer is 429 with `Retry-After`, after 0.1 s. 0: no limit.',
  )
    .min(0)
    .max(1_000_000)
    .default(0),
  rateLimitPerAddress: integer(
    'Requests per second of one client (an IPv4 address or an IPv6 network of 64 bits) to the xAPI and `/admin` in all processes and stores together, also with unknown credentials; beyond it the answer is 429 with `Retry-After`, after 0.1 s. `/xapi/about` and `/admin/env`, which need no credentials, are not counted. A request to a store that has to be opened first, or that does not exist, counts once more, whatever it asks for. 0: no limit. Behind a proxy it needs `trustProxy`.',
  )
    .min(0)
    .max(1_000_000)
    .default(0),
  rateLimitBurstSeconds: integer('How many seconds of these rates may come at once.')
    .min(1)
    .max(3600)
    .default(10),
  headersTimeout: integer(
    'How long the headers of a request, and a TLS handshake, may take (ms); beyond it the answer is 408.',
  )
    .min(100)
    .default(20_000),
  requestTimeout: integer('How long a request may take to arrive (ms); beyond it the answer is 408.')
    .min(100)
    .default(120_000),
  writeTimeout: integer(
    'How long a client may take nothing of a response (ms); beyond it the connection is closed. 0: any time.',
  )
    .min(0)
    .default(30_000),
  maxBufferedResponseBytes: integer(
    'Bytes that responses may take in the memory of a process: those that clients have not read yet, and large documents, pages and exports from the moment they are loaded from the database. Beyond it the connections that have stalled longest are closed, then further large responses are 503. Those of more than 256 KiB may take five eighths of it for one key pair or account, and seven eighths for all, so that small ones find room.',
  )
    .min(1024)
    .default(67_108_864),
  maxConcurrentExports: integer(
    'Exports as CSV or JSON that a process sends at the same time, previews not counted. Beyond it one whose client has taken nothing for 2.5 s is ended, else the answer is 503.',
  )
    .min(1)
    .default(8),
};

/** Allowed origins and what the service shows of itself. */
const access = {
  allowAllOrigins: flag('Answer cross-origin requests from everywhere. For local testing.').default(false),
  allowedOrigins: list(
    Joi.string(),
    'Origins whose cross-origin requests are answered, in place of the addresses of the server.',
    {
      defaultText: 'the addresses of the server',
    },
  ).default(null),
  maintenanceMessage: text(
    'While it is set, every request but `GET /health` is answered 503 with this text, as a page for browsers, and the Node.js server does not open its database.',
  ).default(null),
  enableAdminUi: flag('Serve the admin screen at `/`.').default(true),
  adminLanguage: text('Language of the admin screen.').default('en-US'),
  enableAdminStatus: flag('Serve `/admin/status`.').default(true),
  enableAdminDeleteActor: flag(
    'Serve `DELETE /admin/agents`, which removes all records of an actor.',
  ).default(false),
  enableStmtHtml: flag(
    'Show statements as a page to clients whose `Accept` begins with `text/html`, such as browsers that open an address of the statement resource; they need not name a version.',
  ).default(true),
};

const scanning = {
  enableClamav: flag(
    'Have documents, and attachments that come with statements, scanned by the ClamAV daemon before they are stored: 400 when something is found, 503 when it could not be scanned, in 30 seconds for each request, or when 1,000 contents of the same key pair wait. Excludes `attachmentBucket`.',
  ).default(false),
  clamavHost: text('Host of the ClamAV daemon.').default('localhost'),
  clamavPort: port('Port of the ClamAV daemon (`TCPSocket` in clamd.conf).').default(3310),
};

interface SecurityHeader {
  readonly header: string;
  /** lrsql's value for `[default]`. */
  readonly stock: string;
  /** Sent without a setting; null: none. */
  readonly unset: string | null;
  readonly note?: string;
}

/** The value as it is sent; null: none. */
const securityHeader = ({ header, stock, unset, note = '' }: SecurityHeader): Joi.StringSchema =>
  text(
    `Value of the header \`${header}\` of every answer that has none of its own. \`[default]\` stands for lrsql's \`${stock}\`, \`[none]\` for no such header.${note}`,
    { kind: 'text of printable ASCII characters, in brackets only [default] or [none]' },
  )
    .pattern(/^[\x20-\x7e]+$/)
    .pattern(/^\[(?!(?:default|none)\]$).*\]$/, { invert: true })
    .custom((value: string) => (value === '[default]' ? stock : value === '[none]' ? null : value))
    .default(unset);

const securityHeaders = {
  secHeadHsts: securityHeader({
    header: 'Strict-Transport-Security',
    stock: 'max-age=31536000; includeSubdomains',
    unset: 'max-age=31536000',
    note: ' Sent by HTTPS only; with `trustProxy`, `X-Forwarded-Proto` tells.',
  }),
  secHeadFrame: securityHeader({ header: 'X-Frame-Options', stock: 'DENY', unset: 'DENY' }),
  secHeadContentType: securityHeader({
    header: 'X-Content-Type-Options',
    stock: 'nosniff',
    unset: 'nosniff',
  }),
  secHeadXss: securityHeader({ header: 'X-XSS-Protection', stock: '1; mode=block', unset: null }),
  secHeadDownload: securityHeader({ header: 'X-Download-Options', stock: 'noopen', unset: null }),
  secHeadCrossDomain: securityHeader({
    header: 'X-Permitted-Cross-Domain-Policies',
    stock: 'none',
    unset: null,
  }),
  secHeadContent: securityHeader({
    header: 'Content-Security-Policy',
    stock: "object-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'strict-dynamic' https: http:;",
    unset: "default-src 'none'; frame-ancestors 'none'; sandbox",
    note: ' The admin screen and the HTML view of statements have stricter ones of their own.',
  }),
};

export const webserver = { ...address, ...limits, ...access, ...scanning, ...securityHeaders };
