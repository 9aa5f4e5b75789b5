/** Texts in English: login. */
export const login = {
  title: 'Sign in',
  username: 'User name',
  password: 'Password',
  submit: 'Sign in',
  wrongPassword: 'User name or password is wrong.',
  expired: 'The session has ended. Sign in again.',
  signedOut: 'You are signed out.',
  or: 'or with an account of this server',
  atProvider: 'Sign in at the provider',
  providerSaid: 'The provider said',
  providerFailed: 'Try again. If it fails again, ask whoever looks after the provider.',
  notAdmitted: 'The provider knows you, but this server does not let you in. Try another account.',
  byProxy: 'A proxy signs people in here. It has sent nobody whom this server lets in.',
  leaveProxy: 'Sign out there',
  lookAgain: 'Look again',
  firstTitle: 'Welcome',
  firstText: 'There is no account yet, so nobody can sign in. The configuration makes the first one.',
  firstCommand: 'Stop the server and start it with a name and a password of your choice, such as these:',
  firstCommandLabel: 'Command that starts the server with a first account',
  firstFile:
    'Or put them into the file config/lrs.json and start the server again. On AWS Lambda, set the two environment variables of the functions.',
  firstFileLabel: 'Content of config/lrs.json',
  firstAfter:
    'Then sign in, create an account of your own, sign in with that one, delete the first account, and take its name and password out of the configuration.',
  stillNone: 'There is still no account.',
};
