import type { Operation } from '../types.ts';
import { text } from './answers.ts';

const tag = 'Screen';

/** The web screen: answers for browsers, which have no examples. */
export const screenOperations = {
  getScreen: {
    tag,
    summary: 'Show the admin screen',
    description:
      'Anybody may load it; what it shows it asks for with a login. `enableAdminUi` switches it off.',
    answers: {
      200: { description: 'The page.', content: { 'text/html; charset=utf-8': text } },
      302: { description: 'The same address with a slash at its end, for a stage of a gateway.' },
    },
    errors: ['not-found'],
    examples: {},
  },
  getScreenFile: {
    tag,
    summary: 'Load a file of the admin screen',
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        description: 'A name that the page or another file of it mentions.',
        schema: text,
      },
    ],
    answers: {
      200: { description: 'The file, which never changes under this name.', content: { '*/*': {} } },
    },
    errors: ['not-found'],
    examples: {},
  },
  findScreen: {
    tag,
    summary: 'Go to the admin screen from the address that lrsql has for it',
    answers: { 302: { description: 'The address of the screen.' } },
    errors: ['not-found'],
    examples: {},
  },
  findScreenPage: {
    tag,
    summary: 'Go to a page of the admin screen from the address that lrsql has for it',
    parameters: [
      {
        name: 'page',
        in: 'path',
        required: true,
        description:
          'What stands below `/admin/ui/`, with any number of slashes. Of `credentials`, `accounts`, `browser`, `data-management` and `reactions` it is the page that shows the same, else the first page.',
        schema: text,
      },
    ],
    answers: { 302: { description: 'The address of the page.' } },
    errors: ['not-found'],
    examples: {},
  },
} as const satisfies Readonly<Record<string, Operation>>;
