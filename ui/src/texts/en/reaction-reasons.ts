/** Why reactions fail, are refused or warned of, in English: by the stable names of the API. */
export const reactionReasons = {
  failureKinds: {
    ReactionQueryError: 'The conditions could not be evaluated.',
    ReactionTemplateError: 'The template uses a value that a matched statement does not have.',
    'template-path': 'The template names a condition or a path that does not exist.',
    'unknown-condition': 'A comparison refers to a condition that does not exist.',
    server: 'The server failed to evaluate the reaction.',
    'id-taken': 'The template gives an id that another statement has.',
    ReactionInvalidStatementError: 'What the template makes is not a valid xAPI statement.',
    ReactionLimitError: 'It exceeds a limit: too many statements match, or too much is generated.',
    evaluation: 'To evaluate its conditions is too much work.',
    candidates: 'Too many statements have to be read to find those that match.',
    chain: 'Reactions answer each other’s statements: the chain is too long or has too many statements.',
  },
  failureRemedies: {
    ReactionQueryError: 'Try the ruleset in the preview and correct the comparison that the message names.',
    ReactionTemplateError:
      'Add a comparison that only statements with that value fulfil, or take the value out of the template.',
    'template-path':
      'Correct the place of the template that the message names: it needs a condition of the ruleset and a path.',
    'unknown-condition': 'Choose a condition of the ruleset at the place that the message names.',
    server: 'The log of the server says what has failed. When that is mended, resume the reaction.',
    'id-taken': 'Take the id out of the template, so that each generated statement has one of its own.',
    ReactionInvalidStatementError:
      'Correct the place of the template that the message names, and look at the preview.',
    ReactionLimitError:
      'Add comparisons, for instance of the Verb, so that fewer statements match. Or raise the setting that the message names.',
    candidates:
      'Narrow the condition further, for instance by the activity (object.id) or the registration. Or have the setting raised that the message names.',
    chain:
      'Add a comparison of the Verb, so that no statement matches that other reactions generate. Or have the setting raised that the message names.',
    evaluation:
      'Use fewer comparisons by “matches the pattern” and “contains”, and shorter patterns. Or add comparisons by “is”, so that fewer statements are compared.',
  },
  rules: {
    structure: () =>
      'Something is missing or misplaced here. Compare it with an example, and complete or remove it.',
    path: () =>
      'The path does not lead to a value. Choose one of the paths that the form suggests, such as verb.id.',
    operator: ({ operators }: NoteValues) =>
      `There is no such comparison. Choose one of these: ${operators}.`,
    value: () => 'This value is not permitted. Enter a text or a number, or choose true or false.',
    type: ({ path, kind, operator }: NoteValues) =>
      operator !== undefined
        ? `The comparison “${operator}” does not fit what is compared. Choose another comparison or another path.`
        : kind === undefined
          ? 'The value has the wrong type. Choose another type.'
          : `The value has the wrong type: ${path} has values of the type “${kind}”. Enter such a value, or choose another path.`,
    limit: () =>
      'This exceeds a limit of the server, which the technical detail names. Shorten it, or ask for a higher limit.',
    unlisted: () =>
      'There are more mistakes or warnings than are listed here. Correct these first, then the others are listed.',
  },
  warningRules: {
    contradiction: ({ path }: NoteValues) =>
      `Another comparison demands a different value of ${path ?? 'the same place'}; both are never true together. Choose “at least one of these”, or remove one of them.`,
    'unknown-member': ({ member }: NoteValues) =>
      `“${member}” is unknown and has no effect. Correct its name, or remove it.`,
    'unused-member': ({ member }: NoteValues) => `“${member}” has no effect here. Remove it.`,
    'unknown-condition': 'There is no condition of this name. Choose a condition of the ruleset.',
    'never-true':
      'This comparison is never true: no stored statement has such a value here. Choose a value that the form suggests.',
    'always-true':
      'This comparison is true for every statement that has a value here. Remove it, or enter another value.',
    'no-value': 'No stored statement has a value at this path. Choose a path that the form suggests.',
    'boolean-order': 'true and false have no order. Compare by “is”.',
    'no-wildcard':
      'The pattern has neither % nor _, so it means the same as “is”. Add %, or compare by “is”.',
    'no-identity':
      'Without shared values, statements of different people match each other. Add a shared value, such as actor.mbox.',
    'account-name-alone':
      'Accounts on different home pages may have the same name. Add the path of the home page.',
    'template-path':
      'This place of the template does not lead to a value of a statement, so no statement is made. Choose a condition and a path.',
    'template-statement':
      'With this, the template does not make a valid statement. The technical detail says what xAPI wants here.',
    'duration-order':
      'Durations are compared as text here, so PT10M counts as less than PT9M. Compare by “is”, or another value.',
    'set-by-lrs': 'The LRS sets this value itself; the one in the template has no effect. Remove it.',
    'fixed-id':
      'All statements would get the same id, so only the first is made. Take the id out of the template.',
    'title-blank': 'An empty title counts as none.',
    'title-spaces': 'Spaces around the title are removed.',
  },
};

/** What sentences about a place of a ruleset name, in the words of the screen; undefined where it has none. */
export interface NoteValues {
  /** The last step of the place: the name of a member. */
  readonly member: string;
  readonly path: string | undefined;
  /** The type of the values at the path. */
  readonly kind: string | undefined;
  /** One that only some types have. */
  readonly operator: string | undefined;
  /** All that there are. */
  readonly operators: string;
}
