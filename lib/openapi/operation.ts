import type { ErrorCode } from '../errors.ts';
import { statusOf } from '../http/error-response.ts';
import { errorContent, errorsOf, refusalText, securityFor } from './components.ts';
import type { Access, Answer, Content, Example, Operation, Parameter, Sample } from './types.ts';

/** A route with what its handler does. */
export interface DescribedOperation {
  readonly id: string;
  readonly access: Access;
  readonly operation: Operation;
}

/** The Operation Object of a route: its examples go by one name in parameters, body and answer. */
export function operationObject({ id, access, operation }: DescribedOperation): object {
  const {
    tag,
    summary,
    description,
    parameters = [],
    body,
    answers,
    errors = [],
    oneTime = false,
  } = operation;
  const { examples } = operation;
  const refusals = errorsOf(access, errors).map((code) => [statusOf[code], refusalObject(code, examples)]);
  const successes = Object.entries(answers).map(([status, answer]) => [
    status,
    answerObject(answer, Number(status), examples),
  ]);
  return {
    tags: [tag],
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    security: securityFor(access, oneTime),
    ...(parameters.length > 0 && { parameters: parameters.map((each) => parameterObject(each, examples)) }),
    ...(body !== undefined && { requestBody: bodyObject(body, operation) }),
    responses: Object.fromEntries([...successes, ...refusals]),
  };
}

type Examples = Operation['examples'];

function parameterObject(parameter: Parameter, all: Examples): object {
  const examples = named(all, ({ parameters }) => parameters?.[parameter.name]);
  return { ...parameter, ...(examples !== undefined && { examples }) };
}

function bodyObject(body: Content, { bodyOptional = false, examples: all }: Operation): object {
  return { required: !bodyOptional, content: contentObject(body, all, (example) => example.body) };
}

function answerObject({ description, content, headers = {} }: Answer, status: number, all: Examples): object {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ]);
  const sampleOf = (example: Example) => (example.status === status ? example.answer : undefined);
  return {
    description,
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
    ...(content !== undefined && { content: contentObject(content, all, sampleOf) }),
  };
}

/** What all operations have in common is said once; only an example of its own makes a failure worth repeating. */
function refusalObject(code: ErrorCode, all: Examples): object {
  const hasExample = Object.values(all).some(({ status }) => status === statusOf[code]);
  if (!hasExample) return { $ref: `#/components/responses/${code}` };
  const description = refusalText(code);
  return answerObject({ description, content: errorContent }, statusOf[code], all);
}

function contentObject(
  content: Content,
  all: Examples,
  sampleOf: (example: Example) => Sample | undefined,
): object {
  const described = Object.entries(content).map(([type, schema]) => {
    const examples = named(all, (example) => {
      const sample = sampleOf(example);
      return sample?.contentType === type ? sample.value : undefined;
    });
    return [type, { schema, ...(examples !== undefined && { examples }) }];
  });
  return Object.fromEntries(described);
}

/** The examples that have a value, by name; undefined when none has. */
function named(all: Examples, pick: (example: Example) => unknown): object | undefined {
  const valued = Object.entries(all)
    .map(([name, example]) => ({ name, summary: example.summary, value: pick(example) }))
    .filter(({ value }) => value !== undefined)
    .map(({ name, ...example }) => [name, example]);
  return valued.length === 0 ? undefined : Object.fromEntries(valued);
}
