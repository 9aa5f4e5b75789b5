/** Texts in English: session. */
export const session = {
  endingTitle: 'Your session is about to end',
  endingText: 'You have not done anything for a while. Do you want to stay signed in?',
  lastText:
    'This session cannot be made longer. Save your work; then sign in again. You come back to this page.',
  timeLeft: (clock: string) => `Time left: ${clock}`,
  secondsLeft: (seconds: number) => `The session ends in ${seconds} seconds.`,
  stay: 'Stay signed in',
  leave: 'Sign out',
  signInNow: 'Sign in again now',
  goOn: 'Continue for now',
};
