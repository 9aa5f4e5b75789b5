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
    ReactionLimitError:
      'Sie überschreitet eine Grenze: Zu viele Statements treffen zu, oder zu viel wird erzeugt.',
    evaluation: 'Ihre Bedingungen auszuwerten ist zu aufwendig.',
    candidates: 'Zu viele Statements müssen gelesen werden, um die passenden zu finden.',
    chain:
      'Reaktionen antworten auf die Statements anderer: Die Kette ist zu lang oder hat zu viele Statements.',
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
    candidates:
      'Engen Sie die Bedingung weiter ein, etwa durch die Aktivität (object.id) oder die Registrierung. Oder lassen Sie die Einstellung erhöhen, die die Meldung nennt.',
    chain:
      'Fügen Sie einen Vergleich des Verbs hinzu, damit keine Statements zutreffen, die andere Reaktionen erzeugen. Oder lassen Sie die Einstellung erhöhen, die die Meldung nennt.',
    evaluation:
      'Verwenden Sie weniger Vergleiche mit „passt zum Muster“ und „enthält“ und kürzere Muster. Oder fügen Sie Vergleiche mit „ist“ hinzu, damit weniger Statements verglichen werden.',
  },
  rules: {
    structure: () =>
      'Hier fehlt etwas oder steht am falschen Platz. Vergleichen Sie es mit einem Beispiel und ergänzen oder entfernen Sie es.',
    path: () =>
      'Der Pfad führt zu keinem Wert. Wählen Sie einen der Pfade, die das Formular vorschlägt, etwa verb.id.',
    operator: ({ operators }) => `Diesen Vergleich gibt es nicht. Wählen Sie einen von diesen: ${operators}.`,
    value: () =>
      'Dieser Wert ist nicht erlaubt. Geben Sie einen Text oder eine Zahl ein, oder wählen Sie true oder false.',
    type: ({ path, kind, operator }) =>
      operator !== undefined
        ? `Der Vergleich „${operator}“ passt nicht zu dem, was verglichen wird. Wählen Sie einen anderen Vergleich oder einen anderen Pfad.`
        : kind === undefined
          ? 'Der Wert hat die falsche Art. Wählen Sie eine andere Art.'
          : `Der Wert hat die falsche Art: ${path} hat Werte der Art „${kind}“. Geben Sie einen solchen Wert ein, oder wählen Sie einen anderen Pfad.`,
    limit: () =>
      'Das überschreitet eine Grenze des Servers, die die technische Einzelheit nennt. Kürzen Sie es, oder bitten Sie um eine höhere Grenze.',
    unlisted: () =>
      'Es gibt mehr Fehler oder Warnungen, als hier stehen. Beheben Sie zuerst diese, dann stehen hier die übrigen.',
  },
  warningRules: {
    contradiction: ({ path }) =>
      `Ein anderer Vergleich verlangt von ${path ?? 'derselben Stelle'} einen anderen Wert; beide treffen nie zugleich zu. Wählen Sie „mindestens eins davon“, oder entfernen Sie einen der beiden.`,
    'unknown-member': ({ member }) =>
      `„${member}“ ist unbekannt und hat keine Wirkung. Berichtigen Sie den Namen, oder entfernen Sie das Feld.`,
    'unused-member': ({ member }) => `„${member}“ hat hier keine Wirkung. Entfernen Sie das Feld.`,
    'unknown-condition':
      'Eine Bedingung dieses Namens gibt es nicht. Wählen Sie eine Bedingung des Regelsatzes.',
    'never-true':
      'Dieser Vergleich trifft nie zu: Kein gespeichertes Statement hat hier einen solchen Wert. Wählen Sie einen Wert, den das Formular vorschlägt.',
    'always-true':
      'Dieser Vergleich trifft auf jedes Statement zu, das hier einen Wert hat. Entfernen Sie ihn, oder geben Sie einen anderen Wert ein.',
    'no-value':
      'Kein gespeichertes Statement hat an diesem Pfad einen Wert. Wählen Sie einen Pfad, den das Formular vorschlägt.',
    'boolean-order': 'true und false haben keine Reihenfolge. Vergleichen Sie mit „ist“.',
    'no-wildcard':
      'Das Muster enthält weder % noch _ und bedeutet deshalb dasselbe wie „ist“. Fügen Sie % hinzu, oder vergleichen Sie mit „ist“.',
    'no-identity':
      'Ohne gemeinsame Werte passen auch Statements verschiedener Personen zusammen. Fügen Sie einen gemeinsamen Wert hinzu, etwa actor.mbox.',
    'account-name-alone':
      'Konten auf verschiedenen Homepages können denselben Namen haben. Fügen Sie den Pfad der Homepage hinzu.',
    'template-path':
      'Diese Stelle der Vorlage führt zu keinem Wert eines Statements, deshalb wird keines erzeugt. Wählen Sie eine Bedingung und einen Pfad.',
    'template-statement':
      'So ergibt die Vorlage kein gültiges Statement. Die technische Einzelheit sagt, was xAPI hier verlangt.',
    'duration-order':
      'Dauern werden hier als Text verglichen, deshalb gilt PT10M als weniger als PT9M. Vergleichen Sie mit „ist“, oder einen anderen Wert.',
    'set-by-lrs':
      'Diesen Wert setzt das LRS selbst; der in der Vorlage hat keine Wirkung. Entfernen Sie ihn.',
    'fixed-id':
      'Alle Statements bekämen dieselbe id, deshalb wird nur das erste erzeugt. Nehmen Sie die id aus der Vorlage.',
    'title-blank': 'Ein leerer Titel gilt als keiner.',
    'title-spaces': 'Leerzeichen vor und hinter dem Titel werden entfernt.',
  },
};
