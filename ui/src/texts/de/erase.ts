import type { erase as english } from '../en/erase.ts';

/** Texts in German: erase. */
export const erase: typeof english = {
  offTitle: 'Das Löschen ist ausgeschaltet',
  offText: 'Die Einstellung webserver.enableAdminDeleteActor schaltet es ein.',
  intro:
    'Entfernt endgültig alles, was über einen Akteur gespeichert ist. Zuerst wird gezählt; ohne Ihre Bestätigung wird nichts entfernt.',
  actor: 'Akteur',
  actorHint: 'Tippen Sie einen Teil eines Namens oder einer Kennung, um aus den bekannten zu wählen.',
  count: 'Zählen, was gespeichert ist',
  countAgain: 'Noch einmal zählen',
  counting: 'Es wird gezählt…',
  countingHint: 'Bei vielen Statements dauert das eine Weile.',
  noIdentifier:
    'Der Server kann diesen Akteur an seiner Kennung nicht erkennen. Hier kann nichts gelöscht werden. Wählen Sie einen anderen.',
  found: (name) => `Gespeichert über ${name}`,
  nothing: (name) => `Über ${name} ist nichts gespeichert.`,
  tables: {
    statement: 'Statements, die den Akteur in irgendeiner Rolle nennen',
    statement_key: 'Sucheinträge dieser Statements',
    statement_reference: 'Verweise auf andere Statements',
    statement_attachment: 'Anhänge dieser Statements',
    attachment: 'Inhalte von Anhängen, die sonst nichts benutzt',
    agent: 'Einträge in der Liste der Agents',
    agent_name: 'Namen',
    document: 'Dokumente (State und Profile)',
  },
  erase: 'Löschen',
  confirmTitle: 'Diesen Akteur endgültig löschen?',
  confirmText: 'Was entfernt ist, kann niemand zurückholen, außer aus einer Sicherung.',
  erasing: 'Es wird gelöscht…',
  erasingHint:
    'Bei vielen Statements dauert das Minuten. Bleiben Sie auf dieser Seite, um das Ergebnis zu sehen.',
  interrupted:
    'Das Löschen geht im Server vielleicht weiter. Sie können gefahrlos noch einmal löschen: Es geht dort weiter, wo es aufgehört hat.',
  complete: 'Die Löschung ist abgeschlossen',
  erasedBy: (name, time, username) => `${name} wurde am ${time} von ${username} gelöscht.`,
  inTrail: (id) => `Eintrag im Protokoll: ${id}`,
  downloadReceipt: 'Beleg herunterladen',
  copyReceipt: 'Kopieren: Beleg',
  receiptHint:
    'Der Beleg nennt den Akteur, das Protokoll nicht. Bewahren Sie ihn nur dort auf, wo Sie den Namen aufbewahren dürfen.',
  erased: (name) => `Entfernt über ${name}`,
  seconds: (count) => `${count} s`,
  staysTitle: 'Was bleibt',
  stays: [
    'Was unter anderen Kennungen derselben Person gespeichert ist: Löschen Sie jede davon.',
    'Statements anderer, die nur auf ein entferntes Statement verweisen. Ihr Verweis führt dann ins Leere.',
    'Was Texte, Erweiterungen und Dokumente anderer über die Person sagen: Inhalte werden nicht durchsucht.',
    'Das Protokoll enthält statt der Kennung einen Hashwert, und wer sie wann gelöscht hat.',
    'Sicherungen, exportierte Dateien und Kopien in anderen Systemen.',
    'Unbenutzte Seiten der Datenbankdatei: Gelöschte Inhalte können darin bleiben, bis die Datenbank mit VACUUM bereinigt wird.',
    'Programme, die weiter Statements über den Akteur senden, legen ihn neu an.',
  ],
};
