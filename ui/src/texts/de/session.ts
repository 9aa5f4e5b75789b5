import type { session as english } from '../en/session.ts';

/** Texts in German: session. */
export const session: typeof english = {
  endingTitle: 'Ihre Sitzung endet bald',
  endingText: 'Sie haben eine Weile nichts getan. Möchten Sie angemeldet bleiben?',
  lastText:
    'Diese Sitzung lässt sich nicht verlängern. Sichern Sie Ihre Arbeit und melden Sie sich dann erneut an. Sie kommen auf diese Seite zurück.',
  timeLeft: (clock) => `Verbleibende Zeit: ${clock}`,
  secondsLeft: (seconds) => `Die Sitzung endet in ${seconds} Sekunden.`,
  stay: 'Angemeldet bleiben',
  leave: 'Abmelden',
  signInNow: 'Jetzt erneut anmelden',
  goOn: 'Vorerst weiterarbeiten',
};
