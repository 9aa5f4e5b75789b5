import type { connection as english } from '../en/connection.ts';

/** Texts in German: connection. */
export const connection: typeof english = {
  title: { offline: 'Dieses Gerät ist offline', unreachable: 'Der Server ist nicht erreichbar' },
  text: {
    offline:
      'Prüfen Sie die Netzverbindung dieses Geräts. Die Seite macht weiter, sobald sie wieder besteht.',
    unreachable: 'Prüfen Sie, ob der Server läuft, und das Netz. Die Seite versucht es weiter.',
  },
  slow: 'Der Server hat noch nicht geantwortet. Bitte warten …',
  tryNow: 'Jetzt versuchen',
  failedAt: (time) => `Letzter Versuch: ${time}`,
};
