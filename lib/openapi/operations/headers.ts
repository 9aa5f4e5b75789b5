import type { Parameter } from '../types.ts';

/* The headers that requests of the xAPI have. */

export const versionHeader: Parameter = {
  name: 'X-Experience-API-Version',
  in: 'header',
  required: true,
  description: 'The version of the xAPI that the request speaks.',
  schema: { type: 'string', pattern: '^(1\\.0|2\\.0)(\\.\\d+)?' },
};

export const operatorHeader: Parameter = {
  name: 'X-LRS-Operator',
  in: 'header',
  required: false,
  description:
    '`Bearer` and the login token of the account that makes the request, as the admin screen sends it beside the key pair: the audit trail keeps the request then. With a token that is not good the request is refused: 401.',
  schema: { type: 'string' },
};

export const languageHeader: Parameter = {
  name: 'Accept-Language',
  in: 'header',
  required: false,
  description: 'The languages wanted in `format=canonical`, best first.',
  schema: { type: 'string' },
};

export const exportLanguageHeader: Parameter = {
  ...languageHeader,
  description:
    'The languages of texts in the columns of an export that names none, and those wanted in `format=canonical`, best first.',
};

export const conditionHeaders: readonly Parameter[] = [
  condition('If-Match', 'Only if the document has one of these ETags, or `*`: if there is one.'),
  condition('If-None-Match', 'Only if the document has none of these ETags, or `*`: if there is none.'),
];

export const unlessKnownHeader = condition(
  'If-None-Match',
  'ETags of copies that the client has; 304 when one is still good.',
);

function condition(name: string, description: string): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}
