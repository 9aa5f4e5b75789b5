import type { Chapter } from '../requirement.ts';
import {
  object,
  pages,
  present,
  primitives,
  properties,
  searches,
  signature,
  statements,
  validate,
  writes,
} from '../test-files.ts';

const accepts = (what: string) => signature(`SignatureVerifier accepts (xAPI 1.0.3 Data 2.6) > ${what}`);
const refuses = (what: string) => signature(`SignatureVerifier refuses (xAPI 1.0.3 Data 2.6) > ${what}`);

export const results: Chapter = {
  heading: 'Data 2.5: retrieval',
  requirements: [
    {
      id: 'Data 2.5-1',
      text: 'A result has the list of Statements, empty when none match.',
      tests: [searches('no match is answered with 200 and an empty list…')],
    },
    {
      id: 'Data 2.5-2',
      text: 'The link to more has the path and no host, and is empty at the end.',
      tests: [
        present('the more link > …'),
        pages('come newest first or, ascending, oldest first, and end without a next'),
      ],
    },
    {
      id: 'Data 2.5-3',
      text: 'The link to more can be used for 24 hours.',
      tests: [searches('the link to more is good after a day…')],
    },
  ],
};

export const signatures: Chapter = {
  heading: 'Data 2.6: signed Statements',
  requirements: [
    {
      id: 'Data 2.6-1',
      text: 'A signature is a JWS in an attachment of the signature usage type and the type application/octet-stream.',
      tests: [accepts('RS256, …'), refuses('another contentType')],
    },
    {
      id: 'Data 2.6-2',
      text: 'Its payload is the Statement as JSON, as it was before it was signed.',
      tests: [refuses('a payload that is no JSON'), refuses('a payload that is no statement')],
    },
    {
      id: 'Data 2.6-3',
      text: 'Its algorithm is RS256, RS384 or RS512.',
      tests: [
        accepts('RS…, verified by the certificate of the header'),
        refuses('another algorithm'),
        refuses('no algorithm at all'),
      ],
    },
    {
      id: 'Data 2.6-4',
      text: 'Statements with malformed signatures are refused with 400.',
      tests: [
        statements('a malformed signature is refused with 400…'),
        refuses('two segments'),
        refuses('a header that is no JSON'),
        refuses('padded base64url'),
      ],
    },
    {
      id: 'Data 2.6-5',
      text: 'The LRS decodes the JWS and reads the Statement in it.',
      tests: [accepts('a signature without a certificate'), refuses('an empty content')],
    },
    {
      id: 'Data 2.6-6',
      text: 'The signed Statement is logically the received one.',
      tests: [accepts('a payload that differs as the same statement may'), refuses('another statement')],
    },
    {
      id: 'Data 2.6-7',
      text: 'With an X.509 certificate in the header, the signature is verified by it.',
      tests: [
        accepts('RS…, verified by the certificate of the header'),
        refuses("another key than the certificate's"),
        refuses('a certificate that is none'),
      ],
    },
    {
      id: 'Data 2.6-8',
      text: 'The other demands on signatures are verified.',
      tests: [refuses('another algorithm'), refuses('another contentType')],
    },
  ],
};

export const dataTypes: Chapter = {
  heading: 'Data 4: special data types',
  requirements: [
    {
      id: 'Data 4.1-1',
      text: 'Keys of extensions are IRIs.',
      tests: [
        properties('refuses result.extensions = {"x":1}…'),
        properties('refuses context.extensions.x = 1…'),
        object('must not have an extension without IRI'),
      ],
    },
    {
      id: 'Data 4.1-2',
      text: 'No value of an extension is a reason to refuse a Statement.',
      tests: [
        statements('extensions may have any values…'),
        validate('is refused with null anywhere outside extensions, at that place…'),
      ],
    },
    {
      id: 'Data 4.2-1',
      text: 'Keys of language maps are RFC 5646 tags, values are text.',
      tests: [
        primitives('language-tag > …'),
        object('must not have a name that is a number'),
        object('must not have a language that is no tag'),
      ],
    },
    {
      id: 'Data 4.3-1',
      text: 'IRIs are IRIs.',
      tests: [primitives('iri > …')],
    },
    {
      id: 'Data 4.4-1',
      text: 'UUIDs are in the standard form.',
      tests: [primitives('uuid > …')],
    },
    {
      id: 'Data 4.5-1',
      text: 'Timestamps are formatted by ISO 8601.',
      tests: [primitives('timestamp > accepts …'), primitives('timestamp > refuses …')],
    },
    {
      id: 'Data 4.5-2',
      text: 'Timestamps keep at least milliseconds.',
      tests: [
        statements('a statement comes back as it was sent…'),
        writes('sets stored, authority and, where they are missing, timestamp and version…'),
      ],
    },
    {
      id: 'Data 4.6-1',
      text: 'Durations are formatted by ISO 8601.',
      tests: [primitives('duration > accepts …'), primitives('duration > refuses …')],
    },
    {
      id: 'Data 4.6-2',
      text: 'The alternative format of durations is refused.',
      tests: [primitives('duration > refuses …the alternative format of ISO 8601…')],
    },
  ],
};
