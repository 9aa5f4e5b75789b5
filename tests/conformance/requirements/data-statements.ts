import type { Chapter } from '../requirement.ts';
import {
  agentParameter,
  equal,
  json,
  object,
  parameters,
  primitives,
  properties,
  references,
  statements,
  validate,
  writes,
} from '../test-files.ts';

export const formatting: Chapter = {
  heading: 'Data 2.2: formatting',
  requirements: [
    {
      id: 'Data 2.2-1',
      text: 'A Statement has each property once: of a name that comes twice, one value counts everywhere.',
      tests: [json('takes a last key over an earlier one of the same name')],
    },
    {
      id: 'Data 2.2-2',
      text: 'Actor, verb and object are needed.',
      tests: [validate('requires actor'), validate('requires verb'), validate('requires object')],
    },
    {
      id: 'Data 2.2-3',
      text: 'Properties come back as they came, but for the listed exceptions.',
      tests: [
        statements('a statement comes back as it was sent…'),
        writes('keeps the text of numbers that a double would change'),
      ],
    },
    {
      id: 'Data 2.2-4',
      text: 'null is refused, except within extensions.',
      tests: [
        validate('is refused with null anywhere outside extensions, at that place…'),
        properties('accepts result.extensions = {"a:b":null,"c:d":[]}…'),
      ],
    },
    {
      id: 'Data 2.2-5',
      text: 'Values of the wrong type are refused: among them text for a number or for a boolean.',
      tests: [
        validate('is refused with a value of another type anywhere outside extensions, at that place…'),
        properties('refuses result.score.raw = "5"…'),
        properties('refuses result.success = "true"…'),
      ],
    },
    {
      id: 'Data 2.2-6',
      text: 'Keys and values that are not of the required format are refused, the empty string too.',
      tests: [
        primitives('iri > refuses …'),
        primitives('mailbox > refuses …'),
        primitives('uuid > refuses …'),
        primitives('timestamp > refuses …'),
        primitives('duration > refuses …'),
        primitives('language-tag > refuses …'),
        properties('refuses context.registration = ""…'),
        object('must not have an extension without IRI'),
      ],
    },
    {
      id: 'Data 2.2-7',
      text: 'A key in another case is refused.',
      tests: [validate('is refused with any key in another case, at that place…')],
    },
    {
      id: 'Data 2.2-8',
      text: 'An enumerated value in another case is refused.',
      tests: [
        object('must not be of a type in lower case…'),
        object('must not have an interaction in upper case'),
        properties('refuses context.contextActivities.Parent = …'),
      ],
    },
    {
      id: 'Data 2.2-9',
      text: 'Keys and values that the specification does not have are refused.',
      tests: [
        validate(
          'is refused with a property more anywhere outside extensions and language maps, at that place…',
        ),
        object('must not be of an unknown type…'),
        object('must not have an unknown interaction'),
      ],
    },
    {
      id: 'Data 2.2-10',
      text: 'IRIs and IRLs without a scheme are refused.',
      tests: [
        primitives("iri > refuses …'no scheme'…"),
        object('must not be an Activity whose id has no scheme…'),
        properties('refuses verb.id = "read"…'),
      ],
    },
    {
      id: 'Data 2.2-11',
      text: 'Keys of language maps are at least checked for the lengths of their subtags.',
      tests: [
        primitives('language-tag > refuses …nine letters…'),
        primitives('language-tag > refuses …a subtag of more than eight characters…'),
        object('must not have a language that is no tag'),
      ],
    },
    {
      id: 'Data 2.2-12',
      text: 'Numbers keep at least the precision of 32-bit floating point.',
      tests: [
        json('keeps the text of 0.1000000000000000055511151231257827 wherever it stands'),
        writes('keeps the text of numbers that a double would change'),
      ],
    },
    {
      id: 'Data 2.2-13',
      text: 'Values of parameters are held to the rules of the same types in Statements.',
      tests: [
        parameters('refuse statementId=x'),
        parameters('refuse verb=x'),
        parameters('refuse since=yesterday'),
        parameters('refuse registration=x'),
        agentParameter('refuses … at agent…'),
      ],
    },
  ],
};

export const lifecycle: Chapter = {
  heading: 'Data 2.3: immutability, comparison, voiding',
  requirements: [
    {
      id: 'Data 2.3.1-1',
      text: 'Statements do not change.',
      tests: [
        statements('neither an equal nor another statement with its id changes it or its Activity…'),
        writes('stores an equal statement only once and answers with its id again…'),
      ],
    },
    {
      id: 'Data 2.3.1-2',
      text: 'Comparing ignores what the exceptions to immutability allow.',
      tests: [equal('sameDigest (xAPI 1.0.3 Data 2.3.1) > ignores …')],
    },
    {
      id: 'Data 2.3.1-3',
      text: 'Comparing counts every other difference; numbers are compared with the precision of a double.',
      tests: [equal('sameDigest (xAPI 1.0.3 Data 2.3.1) > counts …')],
    },
    {
      id: 'Data 2.3.2-1',
      text: 'The Object of a voiding Statement is a StatementRef.',
      tests: [object('must be a Statement Reference with the verb "voided"…')],
    },
    {
      id: 'Data 2.3.2-2',
      text: 'It names the Statement to be voided by its id.',
      tests: [
        object('must not be a Statement Reference without id…'),
        references('a voiding statement that arrives after its target > voids it, apart…'),
      ],
    },
    {
      id: 'Data 2.3.2-3',
      text: 'A Statement counts as voided exactly when it does not void itself and a voiding Statement that refers to it is there.',
      tests: [
        references('a voiding statement that arrives … its target > voids it, …'),
        references(
          'a voiding statement that arrives … its target > leaves it alone when it is a voiding statement itself…',
        ),
      ],
    },
  ],
};
