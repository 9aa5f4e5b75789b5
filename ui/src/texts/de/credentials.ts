import type { credentials as english } from '../en/credentials.ts';

/** Texts in German: credentials. */
export const credentials: typeof english = {
  intro:
    'Mit einem Schlüsselpaar nutzt ein Programm die xAPI: Der API-Schlüssel ist sein Benutzername, das Geheimnis sein Passwort. Geben Sie jedem Programm ein eigenes Paar, mit nicht mehr Rechten, als es braucht.',
  create: 'Schlüsselpaar anlegen',
  createAction: 'Anlegen',
  edit: 'Schlüsselpaar bearbeiten',
  label: 'Bezeichnung',
  labelHint: 'Welches Programm das Paar nutzt, zum Beispiel „Moodle der Schule“.',
  noLabel: 'Ohne Bezeichnung',
  scopes: 'Rechte',
  presets: 'Beginnen mit',
  preset: {
    sendAndRead: 'Senden und lesen (empfohlen)',
    courses: 'Kurse',
    readAll: 'Nur lesen',
    everything: 'Alles',
  },
  scope: {
    all: 'Alles an der xAPI. Andere Rechte sind dann nicht nötig.',
    'all/read': 'Alles lesen: Statements und alle Dokumente.',
    'statements/read': 'Alle Statements lesen.',
    'statements/read/mine': 'Nur die Statements lesen, die mit diesem Paar gesendet wurden.',
    'statements/write': 'Statements senden.',
    state: 'Lesen und schreiben, was sich Aktivitäten zu jeder Person merken, etwa Lesezeichen.',
    'state/read': 'Lesen, was sich Aktivitäten zu jeder Person merken.',
    activities_profile: 'Die Profile von Aktivitäten lesen und schreiben.',
    'activities_profile/read': 'Die Profile von Aktivitäten lesen.',
    agents_profile: 'Die Profile von Lernenden lesen und schreiben.',
    'agents_profile/read': 'Die Profile von Lernenden lesen.',
    profile: 'Die Profile von Aktivitäten und von Lernenden lesen und schreiben.',
  },
  noScopes: 'Ohne Rechte erlaubt das Paar nichts.',
  allIsEnough: 'Das Recht „all“ enthält alle anderen.',
  search: 'Bezeichnung, API-Schlüssel oder Recht suchen',
  noPairs:
    'Es gibt noch kein Schlüsselpaar. Legen Sie für jedes Programm eines an, das Statements sendet oder liest.',
  count: (found, all) => {
    if (found !== all) return `${found} von ${all} Schlüsselpaaren`;
    return all === 1 ? '1 Schlüsselpaar' : `${all} Schlüsselpaare`;
  },
  pair: 'Schlüsselpaar',
  apiKey: 'API-Schlüssel',
  secret: 'Geheimnis',
  seed: 'Aus der Konfiguration',
  unreadable: 'Geheimnis unlesbar',
  unreadableText:
    'Ein unlesbares Geheimnis wurde unter einem anderen credentialKey gespeichert. Programme können das Paar nicht mehr nutzen: Löschen Sie es und legen Sie ein neues an.',
  open: 'Zeigen und nutzen',
  openNamed: (name) => `Zeigen und nutzen: ${name}`,
  editNamed: (name) => `Bearbeiten: ${name}`,
  deleteNamed: (name) => `Löschen: ${name}`,
  deleteTitle: 'Dieses Schlüsselpaar löschen?',
  deleteLabelled: (label) => `Das Schlüsselpaar „${label}“ mit diesem API-Schlüssel wird gelöscht:`,
  deleteUnlabelled: 'Das Schlüsselpaar ohne Bezeichnung mit diesem API-Schlüssel wird gelöscht:',
  deleteText:
    'Programme, die es nutzen, werden sofort abgewiesen. Seine Statements bleiben. Das lässt sich nicht rückgängig machen.',
  deleted: (name) => `Das Schlüsselpaar ${name} ist gelöscht.`,
  saved: (name) => `Das Schlüsselpaar ${name} ist gespeichert.`,
  details: (name) => `Schlüsselpaar ${name}`,
  createdTitle: 'Das Schlüsselpaar ist bereit',
  createdText:
    'Kopieren Sie das Geheimnis in das Programm, das es braucht. Sie finden es hier jederzeit wieder.',
  revealSecret: 'Geheimnis zeigen',
  hideSecret: 'Geheimnis verbergen',
  copySecret: 'Kopieren: Geheimnis',
  copyApiKey: (name) => (name === '' ? 'Kopieren: API-Schlüssel' : `Kopieren: API-Schlüssel von ${name}`),
  copyField: (name) => `Kopieren: ${name}`,
  recipes: 'So wird es genutzt',
  curlSends: 'Ein Statement speichern',
  curlReads: 'Die neuesten Statements lesen',
  javascript: 'Ein Statement speichern, dann die neuesten lesen',
  javascriptWarning:
    'Wer eine Seite öffnet, kann die Geheimnisse in ihrem Code lesen. Nehmen Sie auf öffentlichen Seiten ein Paar, das nur senden darf.',
  moodleLogstore: 'Logstore xAPI (logstore_xapi)',
  moodleLogstoreText:
    'In Moodle: Website-Administration, Plugins, Protokollierung, Protokollspeicherung verwalten, Logstore xAPI. Es sendet als Statements, was in Moodle geschieht.',
  moodleLaunch: 'xAPI Launch Link (mod_tincanlaunch)',
  moodleLaunchText:
    'In Moodle: Website-Administration, Plugins, Aktivitäten, xAPI Launch Link. Es öffnet xAPI-Kurse. Der Endpoint endet mit einem Schrägstrich.',
  storylineText:
    'In Storyline 360: Veröffentlichen, LMS / LRS, Bericht an ein externes LRS, Berichte und Verfolgung, LRS. Wählen Sie die Eingabe von Hand und die Basisauthentifizierung. Der Endpoint endet mit einem Schrägstrich.',
  missingScopes: (scopes) =>
    `Diesem Paar fehlen Rechte, die das Werkzeug braucht: ${scopes}. Bearbeiten Sie das Paar, um sie zu ergänzen.`,
};
