import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/*
 * What Lambda's runtime for Node.js does in the process of an instance, and no more: it loads the handler, takes one
 * invocation after the other from the Runtime API, and sends back what the handler answers.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */

const environment = process.env;
const [hostname = '', port = ''] = (environment.AWS_LAMBDA_RUNTIME_API ?? '').split(':');
const agent = new Agent({ keepAlive: true });
const base = '/2018-06-01/runtime';

/** Handlers that write their answer to a stream. */
const streaming = new WeakSet();

/** The content type by which a function URL knows that status and headers stand before the body. */
const integrationResponse = 'application/vnd.awslambda.http-integration-response';

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse(handler) {
      streaming.add(handler);
      return handler;
    },
    HttpResponseStream: {
      from(answer, head) {
        answer.setContentType(integrationResponse);
        answer.write(JSON.stringify(head));
        answer.write(Buffer.alloc(8));
        return answer;
      },
    },
  },
});

/** @returns {Promise<{ headers: import('node:http').IncomingHttpHeaders, body: string }>} */
function call(method, path, body = '', headers = {}) {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const sent = request({
      hostname,
      port,
      agent,
      method,
      path: base + path,
      headers: { ...length, ...headers },
    });
    sent.on('error', reject).on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ headers: answer.headers, body: text })).on('error', reject);
    });
    sent.end(body);
  });
}

function errorOf(error) {
  const { name = 'Error', message = String(error), stack = '' } = error ?? {};
  return { errorType: name, errorMessage: message, trace: stack.split('\n') };
}

function report(path, error) {
  const told = errorOf(error);
  process.stderr.write(`${JSON.stringify(told)}\n`);
  return call('POST', path, JSON.stringify(told), {
    'content-type': 'application/json',
    'lambda-runtime-function-error-type': told.errorType,
  });
}

/** The stream of an answer: the request that carries it begins with the first bytes. */
class ResponseStream extends Writable {
  #path;
  #type = 'application/octet-stream';
  #sent;
  #accepted;

  constructor(path) {
    super();
    this.#path = path;
  }

  setContentType(type) {
    this.#type = type;
  }

  #begin() {
    if (this.#sent !== undefined) return this.#sent;
    const headers = {
      'content-type': this.#type,
      'lambda-runtime-function-response-mode': 'streaming',
      'transfer-encoding': 'chunked',
      trailer: 'Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body',
    };
    const sent = request({ hostname, port, agent, method: 'POST', path: base + this.#path, headers });
    this.#accepted = new Promise((resolve, reject) => {
      sent.on('error', reject).on('response', (answer) => answer.resume().on('end', resolve));
    });
    this.#sent = sent;
    return sent;
  }

  _write(chunk, encoding, done) {
    this.#begin().write(chunk, encoding, done);
  }

  _final(done) {
    this.#begin().end();
    this.#accepted.then(() => done(), done);
  }

  /** Ends the answer with the reason why it is not complete. */
  async fail(error) {
    const told = errorOf(error);
    const sent = this.#begin();
    sent.addTrailers({
      'Lambda-Runtime-Function-Error-Type': told.errorType,
      'Lambda-Runtime-Function-Error-Body': Buffer.from(JSON.stringify(told)).toString('base64'),
    });
    sent.end();
    await this.#accepted;
  }
}

function contextOf(headers) {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: environment.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: environment.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: environment.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

async function load() {
  const [file = '', name = ''] = (environment._HANDLER ?? '').split(/\.(?=[^.]+$)/);
  const module = await import(pathToFileURL(join(environment.LAMBDA_TASK_ROOT ?? '', `${file}.mjs`)).href);
  if (typeof module[name] !== 'function') throw new Error(`${environment._HANDLER} is no function.`);
  return module[name];
}

async function answerBuffered(handler, path, event, context) {
  let result;
  try {
    result = await handler(event, context);
  } catch (error) {
    return report(`${path}/error`, error);
  }
  return call('POST', `${path}/response`, JSON.stringify(result ?? null), {
    'content-type': 'application/json',
  });
}

async function answerStreaming(handler, path, event, context) {
  const answer = new ResponseStream(`${path}/response`);
  const finished = new Promise((resolve) => answer.once('finish', resolve));
  try {
    await handler(event, answer, context);
    answer.end();
    await finished;
  } catch (error) {
    process.stderr.write(`${JSON.stringify(errorOf(error))}\n`);
    await answer.fail(error);
  }
}

async function run() {
  let handler;
  try {
    handler = await load();
  } catch (error) {
    await report('/init/error', error);
    process.exit(1);
  }
  const answer = streaming.has(handler) ? answerStreaming : answerBuffered;
  for (;;) {
    const { headers, body } = await call('GET', '/invocation/next');
    const path = `/invocation/${headers['lambda-runtime-aws-request-id']}`;
    await answer(handler, path, JSON.parse(body), contextOf(headers));
  }
}

await run();
