import type { login as english } from '../en/login.ts';

/** Texts in German: login. */
export const login: typeof english = {
  title: 'Anmelden',
  username: 'Benutzername',
  password: 'Passwort',
  submit: 'Anmelden',
  wrongPassword: 'Benutzername oder Passwort ist falsch.',
  expired: 'Die Sitzung ist zu Ende. Melden Sie sich erneut an.',
  signedOut: 'Sie sind abgemeldet.',
  or: 'oder mit einem Konto dieses Servers',
  atProvider: 'Beim Anbieter anmelden',
  providerSaid: 'Antwort des Anbieters',
  providerFailed: 'Versuchen Sie es erneut. Gelingt es wieder nicht, hilft, wer den Anbieter betreut.',
  notAdmitted:
    'Der Anbieter kennt Sie, aber dieser Server lässt Sie nicht ein. Versuchen Sie ein anderes Konto.',
  byProxy: 'Hier meldet ein Proxy die Leute an. Er hat niemanden geschickt, den dieser Server einlässt.',
  leaveProxy: 'Dort abmelden',
  lookAgain: 'Erneut nachsehen',
  firstTitle: 'Willkommen',
  firstText:
    'Es gibt noch kein Konto, also kann sich niemand anmelden. Das erste entsteht durch die Konfiguration.',
  firstCommand:
    'Halten Sie den Server an und starten Sie ihn mit einem Namen und einem Passwort Ihrer Wahl, etwa mit diesen:',
  firstCommandLabel: 'Befehl, der den Server mit einem ersten Konto startet',
  firstFile:
    'Oder schreiben Sie beides in die Datei config/lrs.json und starten Sie den Server neu. Auf AWS Lambda setzen Sie die beiden Umgebungsvariablen der Funktionen.',
  firstFileLabel: 'Inhalt von config/lrs.json',
  firstAfter:
    'Melden Sie sich dann an, legen Sie ein eigenes Konto an, melden Sie sich mit diesem an, löschen Sie das erste Konto und nehmen Sie dessen Namen und Passwort aus der Konfiguration.',
  stillNone: 'Es gibt immer noch kein Konto.',
};
