import { brokenRules } from '../answer-rules.ts';
import { login } from '../login.ts';
import type { Random } from '../random.ts';
import { dial, receiveAll } from '../raw.ts';
import type { Attack, Context } from '../types.ts';
import { type Credentials, type Generator, generators } from './generators.ts';
import { mutate } from './mutate.ts';
import { PipelinedConnection, readAnswer, type WireOutcome, type WireRequest } from './wire.ts';

/** Inputs of all generators together. */
const inputs = 1_000_000;
const connections = 8;
/** Requests on a connection that wait for an answer. */
const depth = 8;
/** Milliseconds; a server that answers nothing for so long has lost a request. */
const patience = 60_000;

const kinds = Object.entries(generators);
/** Framing is fuzzed with a connection for each input. */
const framingInputs = 50_000;
const inputsOfEach = Math.ceil((inputs - framingInputs) / kinds.length);

async function credentialsOf(context: Context): Promise<Credentials> {
  return { pair: context.client.authorization, token: await login(context) };
}

async function fuzz(context: Context, name: string, generate: Generator): Promise<void> {
  const credentials = await credentialsOf(context);
  const lines = Array.from({ length: connections }, () => new Line(context.http));
  await context.parallel(context.amount(inputsOfEach), connections * depth, async (index) => {
    const request = generate(context.random, credentials);
    const line = lines[index % connections];
    if (line !== undefined) judge(context, name, request, await line.send(request));
  });
  for (const line of lines) line.close();
}

/** A connection that is replaced when the server closes it. */
class Line {
  readonly #origin: string;
  #connection: PipelinedConnection;

  constructor(origin: string) {
    this.#origin = origin;
    this.#connection = new PipelinedConnection(origin, patience);
  }

  /** Requests behind one whose answer closes the connection are sent again, alone if need be. */
  async send(request: WireRequest): Promise<WireOutcome> {
    for (let turn = 0; turn < 20; turn += 1) {
      if (!this.#connection.isOpen) this.#connection = new PipelinedConnection(this.#origin, patience);
      const outcome = await this.#connection.send(request);
      if (outcome !== 'closed') return outcome;
    }
    const alone = new PipelinedConnection(this.#origin, patience);
    const outcome = await alone.send(request);
    alone.close();
    return outcome;
  }

  close(): void {
    this.#connection.close();
  }
}

function judge(context: Context, name: string, request: WireRequest, outcome: WireOutcome): void {
  const { tally } = context;
  if (typeof outcome === 'string') {
    tally.count(outcome);
    tally.violate(`${name}: ${outcome} instead of an answer, e.g. to ${request.head.split('\r\n')[0]}`);
    return;
  }
  tally.count(outcome.status);
  const own = `${request.head}\n${request.body.toString('utf8')}`;
  for (const broken of brokenRules(outcome, own)) {
    tally.violate(`${name}: ${broken}, e.g. to ${own.slice(0, 600)}`);
  }
}

/** Bytes that may be no request at all. */
function oddBytes(random: Random, credentials: Credentials): Buffer {
  const names = Object.values(generators);
  const { head, body } = random.pick(names)(random, credentials);
  const whole = Buffer.concat([Buffer.from(head, 'latin1'), body]);
  const chunked = Buffer.from(
    `POST /xapi/statements HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nAuthorization: ${credentials.pair}\r\n\r\n3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\nT: v\r\n\r\n`,
  );
  return mutate(random, random.chance(0.3) ? chunked : whole);
}

/** Sends bytes and half-closes; whatever comes back has to be answers of HTTP. */
async function fuzzFraming(context: Context): Promise<void> {
  const credentials = await credentialsOf(context);
  await context.parallel(context.amount(framingInputs), 48, async () => {
    const bytes = oddBytes(context.random, credentials);
    const connection = await dial({ origin: context.http });
    connection.stream.end(bytes);
    const received = await receiveAll(connection, 5_000);
    connection.stream.destroy();
    judgeStream(context, bytes, received);
  });
}

function judgeStream({ tally }: Context, sent: Buffer, received: Buffer): void {
  let rest = received;
  if (rest.length === 0) tally.count('no answer');
  const method = /^[A-Z]+/.exec(sent.toString('latin1', 0, 20))?.[0] ?? 'GET';
  while (rest.length > 0) {
    const answer = readAnswer(rest, method);
    if (answer === undefined || answer === 'malformed') {
      // What follows the answer to a HEAD that is not the first request can't be told from a body.
      if (!sent.includes('HEAD')) {
        tally.violate(`framing: not an answer of HTTP: ${rest.toString('latin1', 0, 200)}`);
      }
      tally.count('malformed');
      return;
    }
    tally.count(answer.status);
    for (const broken of brokenRules(answer, sent.toString('latin1'))) {
      tally.violate(`framing: ${broken}, e.g. to ${sent.toString('latin1', 0, 600)}`);
    }
    rest = rest.subarray(answer.end);
  }
}

/** A million inputs in all. */
export const fuzzAttacks: readonly Attack[] = [
  {
    name: 'fuzz-framing',
    area: 'fuzzing',
    threat: `${framingInputs} inputs: bytes that are almost requests`,
    run: fuzzFraming,
  },
  ...kinds.map(
    ([name, generate]): Attack => ({
      name: `fuzz-${name}`,
      area: 'fuzzing',
      threat: `${inputsOfEach} inputs: ${name}`,
      run: (context) => fuzz(context, name, generate),
    }),
  ),
];
