import type { Operation, Parameter } from './types.ts';

/** HEAD: what GET does, without a body in the answer (xAPI 1.0.3 Communication 1.1). */
export function headOperation({ answers, examples, ...operation }: Operation): Operation {
  return {
    ...operation,
    summary: `${operation.summary}: the headers only`,
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, { content: _, ...answer }]) => [status, answer]),
    ),
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, { answer: _, ...example }]) => [name, example]),
    ),
  };
}

const formType = 'application/x-www-form-urlencoded';

const method: Parameter = {
  name: 'method',
  in: 'query',
  required: true,
  description: 'The method that is meant.',
  schema: { const: 'GET' },
};

/** A read as POST of a form that carries parameters and headers (xAPI 1.0.3 Communication 1.3). */
export function alternateOperation({ parameters = [], examples, ...operation }: Operation): Operation {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  return {
    ...operation,
    summary: `${operation.summary}: the alternate request syntax`,
    description: 'For clients that can send no headers and no long query; xAPI 1.0.3 only.',
    parameters: [method],
    body: { [formType]: { type: 'object', properties, required } },
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, example]) => [
        name,
        {
          ...example,
          parameters: { method: 'GET' },
          body: { contentType: formType, value: example.parameters },
        },
      ]),
    ),
  };
}
