import type { reactionReasons as english } from '../en/reaction-reasons.ts';

/** Why reactions fail, are refused or warned of, in German. */
export const reactionReasons: typeof english = {
  failureKinds: {
    ReactionQueryError: 'Die Bedingungen konnten nicht ausgewertet werden.',
    ReactionTemplateError: 'Die Vorlage verwendet einen Wert, den ein gefundenes Statement nicht hat.',
    'template-path': 'Die Vorlage nennt eine Bedingung oder einen Pfad, die es nicht gibt.',
    'unknown-condition': 'Ein Vergleich bezieht sich auf eine Bedingung, die es nicht gibt.',
    server: 'Der Server konnte die Reaktion nicht auswerten.',
    'id-taken': 'Die Vorlage gibt eine id an, die ein anderes Statement hat.',
    ReactionInvalidStatementError: 'Was die Vorlage ergibt, ist kein gültiges xAPI-Statement.',
    ReactionLimitError: 'Sie überschreitet eine Grenze: Zu viele Statements treffen zu oder werden erzeugt.',
  },
  failureRemedies: {
    ReactionQueryError:
      'Probieren Sie den Regelsatz in der Vorschau aus und berichtigen Sie den Vergleich, den die Meldung nennt.',
    ReactionTemplateError:
      'Fügen Sie einen Vergleich hinzu, den nur Statements mit diesem Wert erfüllen, oder nehmen Sie den Wert aus der Vorlage.',
    'template-path':
      'Berichtigen Sie die Stelle der Vorlage, die die Meldung nennt: Sie braucht eine Bedingung des Regelsatzes und einen Pfad.',
    'unknown-condition': 'Wählen Sie an der Stelle, die die Meldung nennt, eine Bedingung des Regelsatzes.',
    server: 'Das Log des Servers sagt, woran es lag. Ist das behoben, setzen Sie die Reaktion fort.',
    'id-taken': 'Nehmen Sie die id aus der Vorlage, damit jedes erzeugte Statement eine eigene hat.',
    ReactionInvalidStatementError:
      'Berichtigen Sie die Stelle der Vorlage, die die Meldung nennt, und sehen Sie die Vorschau an.',
    ReactionLimitError:
      'Fügen Sie Vergleiche hinzu, etwa des Verbs, damit weniger Statements zutreffen. Oder erhöhen Sie die Einstellung, die die Meldung nennt.',
  },
  rules: {
    structure: 'Hier fehlt etwas oder steht am falschen Platz.',
    path: 'Der Pfad führt zu keinem Wert.',
    operator: 'Diesen Vergleich gibt es nicht.',
    value: 'Dieser Wert ist nicht erlaubt.',
    type: 'Der Wert hat den falschen Typ.',
    limit: 'Das überschreitet eine Grenze.',
  },
  warningRules: {
    'unknown-member': 'Dieses Feld ist unbekannt und hat keine Wirkung.',
    'unused-member': 'Dieses Feld hat hier keine Wirkung.',
    'unknown-condition': 'Eine Bedingung dieses Namens gibt es nicht.',
    'never-true': 'Dieser Vergleich trifft nie zu: Kein gespeichertes Statement hat hier einen solchen Wert.',
    'always-true': 'Dieser Vergleich trifft auf jedes Statement zu, das hier einen Wert hat.',
    'no-value': 'Kein gespeichertes Statement hat an diesem Pfad einen Wert.',
    'boolean-order': 'true und false haben keine Reihenfolge. Vergleichen Sie mit „ist“.',
    'no-wildcard': 'Das Muster enthält weder % noch _ und bedeutet deshalb dasselbe wie „ist“.',
    'no-identity': 'Ohne gemeinsame Werte passen auch Statements verschiedener Personen zusammen.',
    'account-name-alone':
      'Konten auf verschiedenen Homepages können denselben Namen haben. Fügen Sie den Pfad der Homepage hinzu.',
    'template-path': 'Diese Stelle der Vorlage führt zu keinem Wert eines Statements.',
    'template-statement': 'So ergibt die Vorlage kein gültiges Statement.',
    'set-by-lrs': 'Diesen Wert setzt das LRS selbst; der in der Vorlage hat keine Wirkung.',
    'title-blank': 'Ein leerer Titel gilt als keiner.',
    'title-spaces': 'Leerzeichen vor und hinter dem Titel werden entfernt.',
  },
};
