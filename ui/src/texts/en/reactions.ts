import { reactionForm } from './reaction-form.ts';
import { reactionReasons } from './reaction-reasons.ts';

/** What a comparison wants, and what a statement has. */
interface ReasonParts {
  readonly wanted: string;
  readonly isNegated: boolean;
  readonly found: string;
}

/** Texts about reactions in English. */
export const reactions = {
  ...reactionReasons,
  ...reactionForm,
  intro:
    'A reaction waits for statements that fulfil its conditions together, and stores a new statement when they do: a certificate, a badge, an alert.',
  empty: 'There are no reactions yet. Create one; it can begin with an example.',
  create: 'New reaction',
  editTitle: 'Edit a reaction',
  saved: 'The reaction is saved.',
  gone: 'This reaction does not exist any more.',
  name: 'Title',
  state: 'State',
  isSlow: 'Slow',
  warningCount: (count: number) => (count === 1 ? '1 warning' : `${count} warnings`),
  states: { active: 'Active', paused: 'Paused', stopped: 'Stopped by an error' },
  fired: 'Fired',
  failed: 'Failed matches',
  lastFailure: 'Last failed match',
  lastFired: 'Last fired',
  never: 'Never',
  edit: 'Edit',
  editNamed: (title: string) => `Edit: ${title}`,
  deleteNamed: (title: string) => `Delete: ${title}`,
  work: { pause: 'Pause', resume: 'Resume', repair: 'Clear error and resume' },
  workNamed: (work: string, title: string) => `${work}: ${title}`,
  pausedNow: (title: string) => `“${title}” is paused.`,
  resumedTitle: (title: string) => `“${title}” is active.`,
  missedText: (from: string, through: string) =>
    from === through
      ? `While it was not active, it did not examine statements that were stored on ${from}.`
      : `While it was not active, it did not examine statements that were stored between ${from} and ${through}.`,
  replayMissed: 'Examine them now',
  replayStarted: 'The replay has started. The details of the reaction show how far it is.',
  deleteTitle: 'Delete this reaction?',
  deleteText: (title: string) =>
    `“${title}” stops firing. The statements that it has generated are kept, and so is the record of what triggered them. It can be restored from “Deleted reactions”.`,
  deleted: (title: string) => `“${title}” is deleted.`,
  deletedOnes: 'Deleted reactions',
  allReactions: 'All reactions',
  noneDeleted: 'No reaction has been deleted.',
  switchedOff: 'Reactions are switched off',
  switchedOffText: 'They can be used when the server runs with LRS_ENABLE_REACTIONS=true.',
  deletedText: 'A reaction that is restored is paused. It keeps its version and its counters.',
  deletedAt: 'Deleted',
  restore: 'Restore',
  showRuleset: 'Show the ruleset',
  restoreTitle: 'Restore under another title',
  restoreTitleText: (title: string) => `Another reaction has the title “${title}” now.`,
  restored: (title: string) => `“${title}” is restored and paused.`,
  deletedReaction: (title: string) => `“${title}” (deleted)`,
  details: 'Reaction',
  error: 'Error',
  lag: 'Not yet examined',
  lagText: (statements: number, seconds: number, number: (value: number) => string) =>
    statements === 1
      ? `1 statement, ${number(seconds)} s old`
      : `${number(statements)} statements, the oldest ${number(seconds)} s old`,
  noLag: 'None',
  delay: 'Why they wait',
  givesWay:
    'Reactions examine statements in the order in which they were stored. While clients store statements without a break, reactions get a tenth of the time, and catch up later.',
  speed: 'Speed',
  slow: 'Slow: this reaction takes long for each statement that triggers it, so it is processed separately and the other reactions do not wait for it. Nothing is missed. It gets faster if its conditions compare more by “is”, such as the activity or the registration, and less by “matches the pattern”.',
  version: 'Version of the ruleset',
  firingVersion: 'Version',
  created: 'Created',
  modified: 'Changed',
  warnings: 'Warnings',
  ruleset: 'Ruleset',
  history: 'History of firings',
  noFirings: 'It has not fired yet.',
  moreFirings: 'Show more',
  firedAt: 'Time',
  trigger: 'Trigger',
  matched: 'Matched statements',
  generated: 'Generated statement',
  erased: 'erased',
  replay: 'Replay',
  replayText:
    'Examines statements that are stored already, with the present ruleset. What this version of the ruleset has generated is not generated again.',
  replayOfVersion: (version: string) =>
    `The ruleset has changed: this is version ${version}. Matches that fired with an earlier version fire again and generate another statement.`,
  replayNeedsActive: 'Only an active reaction can examine stored statements. Resume it first.',
  replayFrom: 'Statements stored after',
  replayFromRefused: 'Choose a time that is past.',
  replayAction: 'Start the replay',
  replayStates: {
    running: 'A replay is running',
    paused: 'A replay is paused',
    failed: 'A replay has failed and is tried again',
    stopped: 'An error has stopped the replay',
    done: 'The last replay has ended',
  },
  replayRange: (from: string, through: string) =>
    from === through ? `Statements stored on ${from}.` : `Statements stored from ${from} to ${through}.`,
  replayReached: (reached: string) => `So far up to ${reached}.`,
  replayFailed: (failed: number, number: (value: number) => string) =>
    `${failed === 1 ? '1 match' : `${number(failed)} matches`} failed and generated no statement. Correct the ruleset, then start the replay again.`,
  replayRefused: (refused: number, number: (value: number) => string) =>
    `${refused === 1 ? '1 match' : `${number(refused)} matches`} generated no statement because of a limit of chains of reactions. Have the setting raised that the reasons name, then start the replay again.`,
  replayProblems: 'The last reasons:',
  links: 'Reactions',
  madeBy: 'Generated by the reaction',
  didTrigger: 'Triggered the reaction',
  moreTriggered: 'Show more triggered reactions',
  starters: 'Begin with an example:',
  starter: {
    certificate: 'Certificate after two passed modules',
    badge: 'Badge for a score above 80% within one registration',
    alert: 'Alert after the third failed attempt',
    numbered: 'Alert after three attempts that have numbers',
  },
  starterTitle: 'Replace what you have here?',
  starterAction: 'Replace',
  starterText: (example: string) =>
    `“${example}” takes the place of the title and the ruleset. What you have here is lost.`,
  alertNote:
    'The fourth failed attempt makes this fire three more times, because it completes other combinations of three. If the statements contain the number of the attempt, begin with the example that compares it: then each learner gets one alert.',
  stoppedTitle: 'An error has stopped this reaction',
  editRuleset: 'Edit the ruleset',
  repairsNothing: 'Resuming repairs nothing: correct the ruleset first.',
  limitRemains: 'Resuming repairs nothing: change the ruleset or have the limit raised first.',
  isActive: 'Active',
  isActiveText: 'Statements that are stored from now on can trigger it.',
  form: 'Form',
  formWaits: 'The JSON has a mistake. The form can be changed again when that is corrected.',
  json: 'The same as JSON',
  jsonText: 'Form and JSON always have the same content; change either.',
  noJson: (line: number, column: number) => `Line ${line}, column ${column}: this is not valid JSON.`,
  memberTwice: (line: number, column: number, name: string) =>
    `Line ${line}, column ${column}: “${name}” is in this object already. Keep one of the two.`,
  goThere: 'Go there',
  notices: 'Notices',
  insertPath: 'Insert a path',
  insert: 'Insert at the cursor',
  onlyAsJson: 'The form has no fields for this. Change it as JSON:',
  noteKinds: { error: 'Error', warning: 'Warning' },
  warnedOf: (count: number, number: (value: number) => string) =>
    count === 1
      ? '1 warning: see its place in the form.'
      : `${number(count)} warnings: see their places in the form.`,
  refused: 'The ruleset has mistakes at these places:',
  goToTitle: 'Go to the title',
  saveFailed: 'The reaction was not saved',
  restoredTitle: 'Your draft is back',
  restoredText: 'You were signed out before it was saved. Check it, then save it.',
  preview: 'Preview',
  previewText:
    'What the reaction would have generated from statements that are stored already. Nothing is saved.',
  noObject: 'The ruleset has to be a JSON object, in braces: { … }.',
  previewWaits: 'The preview waits until the JSON is corrected.',
  previewWaitsForNumber: 'The preview waits until every value is entered.',
  previewRuns: 'Being computed …',
  previewFailed: 'There is no preview',
  range: 'Statements to examine',
  newest: (count: string) => `The newest ${count}`,
  timeRange: 'A time range',
  since: 'Stored after',
  until: 'Stored until',
  untilRefused: 'Choose a time after the other one.',
  wouldFire: (firings: number, number: (value: number) => string) =>
    firings === 0
      ? 'It would not have fired.'
      : firings === 1
        ? 'It would have fired once.'
        : `It would have fired ${number(firings)} times.`,
  manyFirings: (firings: string, triggers: string) =>
    `${firings} firings from ${triggers} triggers: a trigger fires once for each combination of statements that fulfils the conditions. Where one statement is enough, compare what tells the statements apart, such as the number of an attempt.`,
  examined: (examined: string, triggers: string) =>
    `Statements examined: ${examined}; triggers among them: ${triggers}.`,
  stoppedBy: {
    statements: 'Older statements were not examined.',
    time: 'The preview ran out of time before all were examined.',
    bytes: 'The preview reached its size limit before all were examined.',
  },
  examples: (count: string) => `Examples (${count})`,
  failures: (count: string) => `Matches that would fail (${count})`,
  nearMisses: (count: string) => `Near misses (${count})`,
  times: (count: string) => `(${count} times)`,
  missed: 'nearly matches.',
  alike: (others: number, number: (value: number) => string) =>
    others === 1 ? 'The same for 1 more statement.' : `The same for ${number(others)} more statements.`,
  alikeWithoutPartner: (others: number, number: (value: number) => string) =>
    others === 1
      ? 'The same condition is missing for 1 more statement.'
      : `The same condition is missing for ${number(others)} more statements.`,
  reason: (path: string, { wanted, isNegated, found }: ReasonParts) =>
    `${isNegated ? 'Not wanted' : 'Wanted'}: ${path} ${wanted}. Found: ${found}.`,
  reasonUnknown: (path: string, wanted: string) =>
    `${path} is missing, so the opposite of “${wanted}” does not hold either.`,
  noPartner: (condition: string, demands: readonly string[]) =>
    `Missing: a statement for the condition “${condition}”${demands.length === 0 ? '' : ` with: ${demands.join('; ')}`}.`,
  valueIn: (path: string, condition: string) => `${path} of the statement for “${condition}”`,
  partnerOperators: { patternFor: 'is a pattern for', elementOf: 'is an element of' },
  noIdentity: (paths: string) => `It has none of the shared values: ${paths}.`,
  nothing: 'nothing',
  decimalSign: '.',
  changedMeanwhile: (who: string | undefined) =>
    who === undefined
      ? 'This reaction has changed since you began to edit it.'
      : `${who} has changed this reaction since you began to edit it.`,
  titleNow: (title: string) => `The title is now “${title}”.`,
  rulesetNow: 'The ruleset has changed.',
  stateNow: (state: string) => `The state is now: ${state}.`,
  deletedMeanwhile: (who: string | undefined) =>
    who === undefined
      ? 'This reaction was deleted since you began to edit it.'
      : `${who} has deleted this reaction since you began to edit it.`,
  draftKept: 'What you have here is kept: save it as a new reaction, or copy the JSON.',
  copyJson: 'Copy the JSON',
  saveAsNew: 'Save as a new reaction',
  loadOther: 'Load that version',
  loadOtherText: 'The editor then shows the reaction as it is now. What you have changed here is lost.',
  saveOver: 'Save over it',
  saveOverTitle: 'Save over the other version?',
  saveOverText: 'Your title, state and ruleset replace the other version. What was changed in it is lost.',
  titleTaken: 'Another reaction has this title. Choose another one.',
  titleMissing: 'A reaction needs a title.',
  discardTitle: 'Discard the changes?',
  discardText: 'What you have changed here is not saved.',
  discard: 'Discard',
  keepEditing: 'Keep editing',
};
