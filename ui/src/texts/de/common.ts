import type { common as english } from '../en/common.ts';

/** Texts in German: common. */
export const common: typeof english = {
  product: 'Learning Record Store',
  productOf: (store) => `${store} · Learning Record Store`,
  loading: 'Wird geladen',
  retry: 'Erneut versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyThis: (name) => `Kopieren: ${name}`,
  copiesSecret:
    'Die Punkte stehen für das Geheimnis. Die Schaltfläche kopiert den Text mit dem Geheimnis selbst.',
  showPassword: 'Passwort zeigen',
  delete: 'Löschen',
  actions: 'Aktionen',
  save: 'Speichern',
  none: 'Keine',
  skip: 'Zum Inhalt springen',
  serverSaid: 'Antwort des Servers',
  technicalDetail: 'Technische Einzelheit',
  refusals: {
    invalid: 'Der Server hat abgelehnt, was gesendet wurde.',
    forbidden: 'Das ist nicht erlaubt.',
    'not-found': 'Das gibt es nicht, oder es ist abgeschaltet.',
    conflict: 'Das widerspricht dem, was gespeichert ist.',
    'precondition-failed':
      'Jemand anderes hat das inzwischen geändert. Laden Sie es neu und wiederholen Sie die Änderung.',
    'too-large': 'Das ist größer, als eine Einstellung erlaubt.',
    'too-many-requests': 'Das waren zu viele Versuche.',
    'request-timeout': 'Die Anfrage kam nicht rechtzeitig beim Server an. Versuchen Sie es erneut.',
    unavailable: 'Der Server kann das im Moment nicht ausführen.',
    internal: 'Der Server ist gescheitert. Der Grund steht in seinem Protokoll.',
  },
  readFailed: 'Die Daten konnten nicht geladen werden',
  writeFailed: 'Die Anfrage ist fehlgeschlagen',
  signInFailed: 'Anmeldung fehlgeschlagen',
  noConnection: 'Der Server antwortet nicht. Prüfen Sie das Netz und versuchen Sie es dann erneut.',
  noAnswerToWrite:
    'Der Server hat nicht geantwortet; ob die Änderung ausgeführt wurde, ist unbekannt. Prüfen Sie das Netz und die Daten und versuchen Sie es dann erneut.',
  retryAfter: (seconds) =>
    seconds === 1
      ? 'Versuchen Sie es in 1 Sekunde erneut.'
      : `Versuchen Sie es in ${seconds} Sekunden erneut.`,
  notPermitted:
    'Dieses Schlüsselpaar erlaubt das nicht. Wählen Sie ein anderes oder geben Sie ihm mehr Rechte.',
  typeToConfirm: (word) => `Zur Bestätigung ${word} eingeben`,
  notFoundTitle: 'Diese Seite gibt es nicht',
  notFoundText: 'Die Adresse führt nirgendwohin. Wählen Sie eine Seite im Menü.',
  crashedTitle: 'Diese Seite ist gescheitert',
  crashedText:
    'Laden Sie sie neu. Scheitert sie wieder, hilft der folgende Text bei der Suche nach der Ursache.',
  reload: 'Neu laden',
  partTitle: 'Dieser Teil der Oberfläche konnte nicht geladen werden',
  partText: 'Versuchen Sie es erneut. Scheitert es wieder, laden Sie die Seite neu.',
  outdatedTitle: 'Eine neue Version der Oberfläche ist installiert',
  outdatedText: 'Laden Sie die Seite neu, um sie zu verwenden.',
};
