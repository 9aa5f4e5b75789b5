import type { reactions as english } from '../en/reactions.ts';
import { reactionForm } from './reaction-form.ts';
import { reactionReasons } from './reaction-reasons.ts';

/** Texts about reactions in German. */
export const reactions: typeof english = {
  ...reactionReasons,
  ...reactionForm,
  intro:
    'Eine Reaktion wartet auf Statements, die zusammen ihre Bedingungen erfüllen, und speichert dann ein neues Statement: ein Zertifikat, ein Abzeichen, einen Hinweis.',
  empty: 'Es gibt noch keine Reaktionen. Legen Sie eine an; sie kann mit einem Beispiel beginnen.',
  create: 'Neue Reaktion',
  editTitle: 'Reaktion bearbeiten',
  saved: 'Die Reaktion ist gespeichert.',
  gone: 'Diese Reaktion gibt es nicht mehr.',
  name: 'Titel',
  state: 'Zustand',
  isSlow: 'Langsam',
  warningCount: (count) => (count === 1 ? '1 Warnung' : `${count} Warnungen`),
  states: { active: 'Aktiv', paused: 'Angehalten', stopped: 'Durch einen Fehler gestoppt' },
  fired: 'Ausgelöst',
  failed: 'Gescheitert',
  lastFailure: 'Zuletzt gescheitert',
  lastFired: 'Zuletzt ausgelöst',
  never: 'Nie',
  edit: 'Bearbeiten',
  editNamed: (title) => `Bearbeiten: ${title}`,
  deleteNamed: (title) => `Löschen: ${title}`,
  work: { pause: 'Anhalten', resume: 'Fortsetzen', repair: 'Fehler löschen und fortsetzen' },
  workNamed: (work, title) => `${work}: ${title}`,
  pausedNow: (title) => `„${title}“ ist angehalten.`,
  resumedTitle: (title) => `„${title}“ ist aktiv.`,
  missedText: (from, through) =>
    from === through
      ? `Während sie nicht aktiv war, hat sie Statements nicht geprüft, die am ${from} gespeichert wurden.`
      : `Während sie nicht aktiv war, hat sie Statements nicht geprüft, die zwischen ${from} und ${through} gespeichert wurden.`,
  replayMissed: 'Jetzt prüfen',
  replayStarted: 'Die Wiederholung hat begonnen. Die Details der Reaktion zeigen, wie weit sie ist.',
  deleteTitle: 'Diese Reaktion löschen?',
  deleteText: (title) =>
    `„${title}“ löst nicht mehr aus. Die Statements, die sie erzeugt hat, bleiben erhalten, und auch, wodurch sie ausgelöst wurden. Unter „Gelöschte Reaktionen“ lässt sie sich wiederherstellen.`,
  deleted: (title) => `„${title}“ ist gelöscht.`,
  deletedOnes: 'Gelöschte Reaktionen',
  allReactions: 'Alle Reaktionen',
  noneDeleted: 'Es ist keine Reaktion gelöscht worden.',
  switchedOff: 'Reaktionen sind ausgeschaltet',
  switchedOffText: 'Sie lassen sich verwenden, wenn der Server mit LRS_ENABLE_REACTIONS=true läuft.',
  deletedText: 'Eine wiederhergestellte Reaktion ist angehalten. Sie behält ihre Version und ihre Zähler.',
  deletedAt: 'Gelöscht',
  restore: 'Wiederherstellen',
  showRuleset: 'Regelsatz zeigen',
  restoreTitle: 'Unter anderem Titel wiederherstellen',
  restoreTitleText: (title) => `Eine andere Reaktion hat jetzt den Titel „${title}“.`,
  restored: (title) => `„${title}“ ist wiederhergestellt und angehalten.`,
  deletedReaction: (title) => `„${title}“ (gelöscht)`,
  details: 'Reaktion',
  error: 'Fehler',
  lag: 'Noch nicht geprüft',
  lagText: (statements, seconds, number) =>
    statements === 1
      ? `1 Statement, ${number(seconds)} s alt`
      : `${number(statements)} Statements, das älteste ${number(seconds)} s alt`,
  noLag: 'Keine',
  delay: 'Warum sie warten',
  givesWay:
    'Reaktionen prüfen die Statements in der Reihenfolge, in der sie gespeichert wurden. Solange Clients ununterbrochen Statements speichern, bekommen Reaktionen ein Zehntel der Zeit und holen später auf.',
  speed: 'Tempo',
  slow: 'Langsam: Diese Reaktion braucht für jedes auslösende Statement lange. Sie wird deshalb getrennt verarbeitet, damit die anderen Reaktionen nicht auf sie warten. Nichts geht verloren. Sie wird schneller, wenn ihre Bedingungen mehr mit „ist“ vergleichen, etwa Aktivität oder Registrierung, und weniger mit „passt zum Muster“.',
  version: 'Version des Regelsatzes',
  firingVersion: 'Version',
  created: 'Angelegt',
  modified: 'Geändert',
  warnings: 'Warnungen',
  ruleset: 'Regelsatz',
  history: 'Verlauf',
  noFirings: 'Sie hat noch nicht ausgelöst.',
  moreFirings: 'Mehr zeigen',
  firedAt: 'Zeit',
  trigger: 'Auslöser',
  matched: 'Gefundene Statements',
  generated: 'Erzeugtes Statement',
  erased: 'gelöscht',
  replay: 'Wiederholung',
  replayText:
    'Prüft Statements, die schon gespeichert sind, mit dem jetzigen Regelsatz. Was diese Version des Regelsatzes schon erzeugt hat, wird nicht noch einmal erzeugt.',
  replayOfVersion: (version) =>
    `Der Regelsatz hat sich geändert: Dies ist Version ${version}. Treffer, die mit einer früheren Version ausgelöst haben, lösen noch einmal aus und erzeugen ein weiteres Statement.`,
  replayNeedsActive:
    'Nur eine aktive Reaktion kann gespeicherte Statements prüfen. Setzen Sie sie zuerst fort.',
  replayFrom: 'Statements, gespeichert nach',
  replayFromRefused: 'Wählen Sie einen Zeitpunkt, der vergangen ist.',
  replayAction: 'Wiederholung starten',
  replayStates: {
    running: 'Eine Wiederholung läuft',
    paused: 'Eine Wiederholung ist angehalten',
    failed: 'Eine Wiederholung ist gescheitert und wird erneut versucht',
    stopped: 'Ein Fehler hat die Wiederholung gestoppt',
    done: 'Die letzte Wiederholung ist beendet',
  },
  replayRange: (from, through) =>
    from === through
      ? `Statements, die am ${from} gespeichert wurden.`
      : `Statements, die vom ${from} bis zum ${through} gespeichert wurden.`,
  replayReached: (reached) => `Bisher bis ${reached}.`,
  replayFailed: (failed, number) =>
    `${failed === 1 ? '1 Treffer ist gescheitert und hat' : `${number(failed)} Treffer sind gescheitert und haben`} kein Statement erzeugt. Berichtigen Sie den Regelsatz und starten Sie die Wiederholung erneut.`,
  replayRefused: (refused, number) =>
    `${refused === 1 ? '1 Treffer hat' : `${number(refused)} Treffer haben`} wegen einer Grenze für Ketten von Reaktionen kein Statement erzeugt. Lassen Sie die Einstellung erhöhen, die die Gründe nennen, und starten Sie die Wiederholung erneut.`,
  replayProblems: 'Die letzten Gründe:',
  links: 'Reaktionen',
  madeBy: 'Erzeugt von der Reaktion',
  didTrigger: 'Löste die Reaktion aus',
  moreTriggered: 'Weitere ausgelöste Reaktionen zeigen',
  starters: 'Mit einem Beispiel beginnen:',
  starter: {
    certificate: 'Zertifikat nach zwei bestandenen Modulen',
    badge: 'Abzeichen für mehr als 80\u00a0% der Punkte innerhalb einer Registrierung',
    alert: 'Hinweis nach dem dritten Fehlversuch',
    numbered: 'Hinweis nach drei nummerierten Fehlversuchen',
  },
  starterTitle: 'Ersetzen, was Sie hier haben?',
  starterAction: 'Ersetzen',
  starterText: (example) => `„${example}“ ersetzt Titel und Regelsatz. Was Sie hier haben, geht verloren.`,
  alertNote:
    'Der vierte Fehlversuch löst noch dreimal aus, weil er weitere Dreiergruppen vervollständigt. Enthalten die Statements die Nummer des Versuchs, beginnen Sie mit dem Beispiel, das sie vergleicht: Dann bekommt jede Person einen Hinweis.',
  stoppedTitle: 'Ein Fehler hat diese Reaktion gestoppt',
  editRuleset: 'Regelsatz bearbeiten',
  repairsNothing: 'Fortsetzen behebt nichts: Berichtigen Sie zuerst den Regelsatz.',
  limitRemains:
    'Fortsetzen behebt nichts: Ändern Sie zuerst den Regelsatz, oder lassen Sie die Grenze erhöhen.',
  isActive: 'Aktiv',
  isActiveText: 'Statements, die von jetzt an gespeichert werden, können sie auslösen.',
  form: 'Formular',
  formWaits: 'Das JSON hat einen Fehler. Ist er behoben, lässt sich das Formular wieder ändern.',
  json: 'Dasselbe als JSON',
  jsonText: 'Formular und JSON haben immer denselben Inhalt; ändern Sie das eine oder das andere.',
  noJson: (line, column) => `Zeile ${line}, Spalte ${column}: Das ist kein gültiges JSON.`,
  memberTwice: (line, column, name) =>
    `Zeile ${line}, Spalte ${column}: „${name}“ steht schon in diesem Objekt. Behalten Sie eines von beiden.`,
  goThere: 'Dorthin',
  notices: 'Hinweise',
  insertPath: 'Pfad einfügen',
  insert: 'An der Schreibmarke einfügen',
  onlyAsJson: 'Das Formular hat dafür keine Felder. Ändern Sie es als JSON:',
  noteKinds: { error: 'Fehler', warning: 'Warnung' },
  warnedOf: (count, number) =>
    count === 1
      ? '1 Warnung: siehe ihre Stelle im Formular.'
      : `${number(count)} Warnungen: siehe ihre Stellen im Formular.`,
  refused: 'Der Regelsatz hat an diesen Stellen Fehler:',
  goToTitle: 'Zum Titel',
  saveFailed: 'Die Reaktion wurde nicht gespeichert',
  restoredTitle: 'Ihr Entwurf ist wieder da',
  restoredText: 'Sie wurden abgemeldet, bevor er gespeichert war. Prüfen und speichern Sie ihn.',
  preview: 'Vorschau',
  previewText:
    'Was die Reaktion aus den schon gespeicherten Statements erzeugt hätte. Gespeichert wird nichts.',
  noObject: 'Der Regelsatz muss ein JSON-Objekt sein, in geschweiften Klammern: { … }.',
  previewWaits: 'Die Vorschau wartet, bis das JSON berichtigt ist.',
  previewWaitsForNumber: 'Die Vorschau wartet, bis jeder Wert eingegeben ist.',
  previewRuns: 'Wird berechnet …',
  previewFailed: 'Es gibt keine Vorschau',
  range: 'Geprüfte Statements',
  newest: (count) => `Die neuesten ${count}`,
  timeRange: 'Ein Zeitraum',
  since: 'Gespeichert nach',
  until: 'Gespeichert bis',
  untilRefused: 'Wählen Sie einen Zeitpunkt nach dem anderen.',
  wouldFire: (firings, number) =>
    firings === 0
      ? 'Sie hätte nicht ausgelöst.'
      : firings === 1
        ? 'Sie hätte einmal ausgelöst.'
        : `Sie hätte ${number(firings)}-mal ausgelöst.`,
  manyFirings: (firings, triggers) =>
    `${firings} Auslösungen durch ${triggers} Auslöser: Ein Auslöser löst für jede Kombination von Statements aus, die die Bedingungen erfüllt. Wenn ein Statement genügt, vergleichen Sie, was die Statements unterscheidet, etwa die Nummer eines Versuchs.`,
  examined: (examined, triggers) => `Geprüfte Statements: ${examined}; davon Auslöser: ${triggers}.`,
  stoppedBy: {
    statements: 'Ältere Statements wurden nicht geprüft.',
    time: 'Die Zeit der Vorschau war um, bevor alle geprüft waren.',
    bytes: 'Die Vorschau hat ihre Größengrenze erreicht, bevor alle geprüft waren.',
  },
  examples: (count) => `Beispiele (${count})`,
  failures: (count) => `Treffer, die scheitern würden (${count})`,
  nearMisses: (count) => `Beinahe-Treffer (${count})`,
  times: (count) => `(${count}-mal)`,
  missed: 'trifft beinahe zu.',
  alike: (others, number) =>
    others === 1
      ? 'Dasselbe gilt für 1 weiteres Statement.'
      : `Dasselbe gilt für ${number(others)} weitere Statements.`,
  alikeWithoutPartner: (others, number) =>
    others === 1
      ? 'Dieselbe Bedingung fehlt für 1 weiteres Statement.'
      : `Dieselbe Bedingung fehlt für ${number(others)} weitere Statements.`,
  reason: (path, { wanted, isNegated, found }) =>
    `${isNegated ? 'Nicht erwünscht' : 'Erwünscht'}: ${path} ${wanted}. Gefunden: ${found}.`,
  reasonUnknown: (path, wanted) =>
    `${path} fehlt, deshalb ist auch das Gegenteil von „${wanted}“ nicht erfüllt.`,
  noPartner: (condition, demands) =>
    `Es fehlt: ein Statement für die Bedingung „${condition}“${demands.length === 0 ? '' : ` mit: ${demands.join('; ')}`}.`,
  valueIn: (path, condition) => `${path} des Statements für „${condition}“`,
  partnerOperators: { patternFor: 'ist ein Muster für', elementOf: 'ist ein Eintrag von' },
  noIdentity: (paths) => `Es hat keinen der gemeinsamen Werte: ${paths}.`,
  nothing: 'nichts',
  decimalSign: ',',
  changedMeanwhile: (who) =>
    who === undefined
      ? 'Diese Reaktion wurde geändert, seit Sie sie bearbeiten.'
      : `${who} hat diese Reaktion geändert, seit Sie sie bearbeiten.`,
  titleNow: (title) => `Der Titel ist jetzt „${title}“.`,
  rulesetNow: 'Der Regelsatz hat sich geändert.',
  stateNow: (state) => `Der Zustand ist jetzt: ${state}.`,
  deletedMeanwhile: (who) =>
    who === undefined
      ? 'Diese Reaktion wurde gelöscht, seit Sie sie bearbeiten.'
      : `${who} hat diese Reaktion gelöscht, seit Sie sie bearbeiten.`,
  draftKept: 'Was Sie hier haben, bleibt: Speichern Sie es als neue Reaktion, oder kopieren Sie das JSON.',
  copyJson: 'JSON kopieren',
  saveAsNew: 'Als neue Reaktion speichern',
  loadOther: 'Diese Fassung laden',
  loadOtherText:
    'Dann erscheint hier die Reaktion, wie sie jetzt ist. Was Sie hier geändert haben, geht verloren.',
  saveOver: 'Überschreiben',
  saveOverTitle: 'Die andere Fassung überschreiben?',
  saveOverText:
    'Ihr Titel, Zustand und Regelsatz ersetzen die andere Fassung. Was darin geändert wurde, geht verloren.',
  titleTaken: 'Eine andere Reaktion heißt so. Wählen Sie einen anderen Titel.',
  titleMissing: 'Eine Reaktion braucht einen Titel.',
  discardTitle: 'Änderungen verwerfen?',
  discardText: 'Was Sie hier geändert haben, ist nicht gespeichert.',
  discard: 'Verwerfen',
  keepEditing: 'Weiter bearbeiten',
};
