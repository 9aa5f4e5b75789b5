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
    ReactionLimitError: 'It exceeds a limit: too many statements match or are generated.',
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
  },
  rules: {
    structure: 'Something is missing or misplaced.',
    path: 'The path does not lead to a value.',
    operator: 'There is no such comparison.',
    value: 'This value is not permitted.',
    type: 'The value has the wrong type.',
    limit: 'This exceeds a limit.',
  },
  warningRules: {
    'unknown-member': 'This member is unknown and has no effect.',
    'unused-member': 'This member has no effect here.',
    'unknown-condition': 'There is no condition of this name.',
    'never-true': 'This comparison is never true: no stored statement has such a value here.',
    'always-true': 'This comparison is true for every statement that has a value here.',
    'no-value': 'No stored statement has a value at this path.',
    'boolean-order': 'true and false have no order. Compare by “is”.',
    'no-wildcard': 'The pattern has neither % nor _, so it means the same as “is”.',
    'no-identity': 'Without shared values, statements of different people match each other.',
    'account-name-alone':
      'Accounts on different home pages may have the same name. Add the path of the home page.',
    'template-path': 'This place of the template does not lead to a value of a statement.',
    'template-statement': 'With this, the template does not make a valid statement.',
    'set-by-lrs': 'The LRS sets this value itself; the one in the template has no effect.',
    'title-blank': 'An empty title counts as none.',
    'title-spaces': 'Spaces around the title are removed.',
  },
};
