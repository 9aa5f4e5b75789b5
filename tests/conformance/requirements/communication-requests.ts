import type { Chapter } from '../requirement.ts';
import {
  attached,
  attachments,
  entrances,
  handlers,
  json,
  multipart,
  resources,
  statementBody,
} from '../test-files.ts';

const alternate = (what: string) =>
  handlers(`the alternate request syntax (xAPI 1.0.3 Communication 1.3) > ${what}`);

export const requests: Chapter = {
  heading: 'Communication 1.1 – 1.4: HEAD, alternate request syntax, encoding',
  requirements: [
    {
      id: 'Communication 1.1-1',
      text: 'HEAD is answered like GET.',
      tests: [resources('answers HEAD with the same headers and no body…')],
    },
    {
      id: 'Communication 1.1-2',
      text: 'The answer to HEAD has no body.',
      tests: [
        resources('answers HEAD with the same headers and no body…'),
        entrances('HEAD is answered like GET without the body…'),
      ],
    },
    {
      id: 'Communication 1.3-1',
      text: 'The method is the parameter method of the address of a POST.',
      tests: [alternate('makes headers, query and body of the form'), alternate('refuses an unknown method')],
    },
    {
      id: 'Communication 1.3-2',
      text: 'No other parameter stands in the address.',
      tests: [alternate('refuses another query parameter')],
    },
    {
      id: 'Communication 1.3-3',
      text: 'The form parameter content is the body, as UTF-8.',
      tests: [
        resources('of a form is UTF-8, headers and parameters in it are that…'),
        alternate('refuses a PUT without content'),
      ],
    },
    {
      id: 'Communication 1.3-4',
      text: 'Form parameters that are named like the listed headers count as headers.',
      tests: [
        resources('of a form is UTF-8, headers and parameters in it are that…'),
        alternate('makes headers, query and body of the form'),
      ],
    },
    {
      id: 'Communication 1.3-5',
      text: 'All other form parameters count as parameters of the address.',
      tests: [
        resources('of a form is UTF-8, headers and parameters in it are that…'),
        alternate('makes headers, query and body of the form'),
      ],
    },
    {
      id: 'Communication 1.3-6',
      text: 'The alternate request syntax is supported.',
      tests: [entrances('the alternate request syntax does the same, sent as …')],
    },
    {
      id: 'Communication 1.4-1',
      text: 'Text is UTF-8.',
      tests: [
        resources('text > is UTF-8 in both directions…'),
        json('bytes that are not UTF-8, naming the first…'),
      ],
    },
  ],
};

export const contentTypes: Chapter = {
  heading: 'Communication 1.5: content types',
  requirements: [
    {
      id: 'Communication 1.5.1-1',
      text: 'As application/json, Statements without attachments are taken.',
      tests: [attached('are taken without attachments, many at once')],
    },
    {
      id: 'Communication 1.5.1-2',
      text: 'As application/json, Statements are taken whose attachments all have a fileUrl.',
      tests: [attached('are taken when each attachment has a fileUrl')],
    },
    {
      id: 'Communication 1.5.2-1',
      text: 'Contents are matched with attachments by their SHA-2 only.',
      tests: [
        attached('are taken with the content of their attachments, shared ones once'),
        attached('are refused with a part whose hash is not that of its content…'),
        attachments('verifies sha…'),
      ],
    },
    {
      id: 'Communication 1.5.2-2',
      text: 'As application/json, an attachment without fileUrl is refused.',
      tests: [attached('are refused when an attachment has neither fileUrl nor content')],
    },
    {
      id: 'Communication 1.5.2-3',
      text: 'multipart/mixed is that of RFC 2046.',
      tests: [multipart('parseMultipart > …'), multipart('writes what RFC 2046 shows')],
    },
    {
      id: 'Communication 1.5.2-4',
      text: 'The first part has the Statements, as application/json.',
      tests: [
        statementBody('refuses a first part of another type…'),
        statementBody('refuses a first part without a type…'),
        attached('gives with true the statements as JSON first, then each content as binary with its hash'),
      ],
    },
    {
      id: 'Communication 1.5.2-5',
      text: 'Every other part has X-Experience-API-Hash.',
      tests: [
        attached('are refused with a part without a hash…'),
        attached('gives with true the statements as JSON first, then each content as binary with its hash'),
      ],
    },
    {
      id: 'Communication 1.5.2-6',
      text: 'Every other part has the Content-Transfer-Encoding binary.',
      tests: [
        attached('are refused with a part that is encoded…'),
        attached('gives with true the statements as JSON first, then each content as binary with its hash'),
      ],
    },
    {
      id: 'Communication 1.5.2-7',
      text: 'What a part and its attachment both say is the same.',
      tests: [
        attached('are refused with a part of another type…'),
        attached('are refused with a part with another length…'),
        attachments('refuses another length…'),
      ],
    },
    {
      id: 'Communication 1.5.2-8',
      text: 'Statements come with their attachments when these are asked for.',
      tests: [
        attached('gives with true the statements as JSON first, then each content as binary with its hash'),
        entrances('an attachment of random bytes comes back as it went in'),
      ],
    },
    {
      id: 'Communication 1.5.2-9',
      text: 'As multipart/mixed, Statements with attachments are taken.',
      tests: [attached('are taken with the content of their attachments, shared ones once')],
    },
    {
      id: 'Communication 1.5.2-10',
      text: 'As multipart/mixed, an attachment with neither fileUrl nor a part of its hash is refused.',
      tests: [attached('are refused with no part…'), attached('are refused with a part with another hash…')],
    },
  ],
};
