import { jsonExportParameters } from '../../export/parameters.ts';
import { statementParameters } from '../../statements/parameters.ts';
import { json, placeholders } from '../examples.ts';
import { queryParameters } from '../schema.ts';
import type { Operation, Parameter } from '../types.ts';
import { answerOf, count, idSchema, objectOf, text } from './answers.ts';
import { exportLanguageHeader } from './headers.ts';
import { storedExample } from './statements.ts';

const csvParameters: readonly Parameter[] = [
  {
    name: 'property-paths',
    in: 'query',
    required: false,
    description:
      'The columns: a JSON array of paths, each an array of property names and places in arrays, or the same as a vector in EDN. Without it there are columns for what most people look at first.',
    schema: text,
  },
  {
    name: 'property-path',
    in: 'query',
    required: false,
    description: 'Means the same as `property-paths`, for clients that follow the documentation of lrsql.',
    schema: text,
  },
  {
    name: 'language',
    in: 'query',
    required: false,
    description:
      'The languages of texts, best first, such as `de-CH,en` (lookup of RFC 4647, which tries `de` before `en`): of a language map the cell has the text in the best of them. Without it `Accept-Language` counts for the columns of an export that names none, and columns that are named have language maps as JSON.',
    schema: text,
  },
  {
    name: 'language-maps',
    in: 'query',
    required: false,
    description:
      'With `true` columns with the whole language maps as JSON follow: for each column of a language map a second one, whose name ends in `_map`.',
    schema: { type: 'boolean', default: false },
  },
  {
    name: 'preview',
    in: 'query',
    required: false,
    description: 'With `true` only the first ten rows, which the audit trail tells from a download.',
    schema: { type: 'boolean', default: false },
  },
  ...queryParameters(statementParameters),
];

/** Downloads of what the store has. */
export const exportOperations = {
  authoriseCsv: {
    tag: 'Export',
    summary: 'Get a token for one download',
    description:
      'It goes into the query of `GET /admin/csv` or `GET /admin/export`, so that a plain link can download.',
    answers: {
      200: answerOf(
        'A token that is good once.',
        objectOf({ 'account-id': idSchema, 'json-web-token': text }),
      ),
    },
    examples: {
      authorise: {
        summary: 'A token for a link',
        status: 200,
        answer: json({ 'account-id': placeholders.accountId, 'json-web-token': placeholders.oneTimeToken }),
      },
    },
  },
  getCsv: {
    tag: 'Export',
    summary: 'Download statements as CSV',
    description:
      'A line for each statement that all filters let through, newest first. Unknown parameters are refused. While too many exports are being downloaded (`webserver.maxConcurrentExports`) the answer is 503; a one-time token stays good then.',
    oneTime: true,
    parameters: [exportLanguageHeader, ...csvParameters],
    answers: {
      200: { description: 'The lines, with a header before them.', content: { 'text/csv': text } },
    },
    errors: ['too-large'],
    examples: {
      columns: {
        summary: 'Two columns of the newest statement',
        parameters: { 'property-paths': '[["id"],["verb","id"]]', limit: '1' },
        status: 200,
        answer: {
          contentType: 'text/csv; charset=utf-8',
          value:
            'id,verb_id\r\n0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d,http://adlnet.gov/expapi/verbs/completed\r\n',
        },
      },
    },
  },
  getExport: {
    tag: 'Export',
    summary: 'Download statements, or everything, as JSON',
    description:
      'Statements that all filters let through, newest first, as they are stored; or with `contents=everything` all that the LRS has, as `npm run export` writes it and `npm run import` reads it. Unknown parameters are refused. While too many exports are being downloaded (`webserver.maxConcurrentExports`) the answer is 503; a one-time token stays good then.',
    oneTime: true,
    parameters: [
      exportLanguageHeader,
      ...queryParameters(jsonExportParameters),
      ...queryParameters(statementParameters),
    ],
    answers: {
      200: {
        description: 'A JSON text in each line, an array of statements, or one of them compressed.',
        content: {
          'application/x-ndjson': text,
          'application/json': { type: 'array', items: { $ref: '#/components/schemas/Statement' } },
          'application/gzip': { type: 'string', format: 'binary' },
        },
      },
    },
    errors: ['too-large'],
    examples: {
      array: {
        summary: 'One statement, as an array',
        parameters: { type: 'json', statementId: storedExample.id },
        status: 200,
        answer: json([storedExample]),
      },
    },
  },
  getExportSize: {
    tag: 'Export',
    summary: 'Show how large an export of statements is going to be',
    description:
      'As lines of JSON without compression. Statements that filters let through are counted as far as 5,000, and `more` says that there are more; how many the whole store has is known, and their size is an estimate.',
    parameters: queryParameters(statementParameters),
    answers: {
      200: answerOf(
        'The number of statements and of bytes.',
        objectOf({ rows: count, bytes: count, more: { type: 'boolean' } }),
      ),
    },
    examples: {
      none: {
        summary: 'Statements of a Verb that none has',
        parameters: { verb: 'http://adlnet.gov/expapi/verbs/launched' },
        status: 200,
        answer: json({ rows: 0, bytes: 0, more: false }),
      },
    },
  },
} satisfies Record<string, Operation>;
