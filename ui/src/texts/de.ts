import { accounts } from './de/accounts.ts';
import { activities } from './de/activities.ts';
import { agents } from './de/agents.ts';
import { audit } from './de/audit.ts';
import { common } from './de/common.ts';
import { connection } from './de/connection.ts';
import { credentials } from './de/credentials.ts';
import { documents } from './de/documents.ts';
import { erase } from './de/erase.ts';
import { exporting } from './de/export.ts';
import { frame } from './de/frame.ts';
import { lists } from './de/lists.ts';
import { login } from './de/login.ts';
import { overview } from './de/overview.ts';
import { pages } from './de/pages.ts';
import { reactions } from './de/reactions.ts';
import { session } from './de/session.ts';
import { settings } from './de/settings.ts';
import { statements } from './de/statements.ts';
import { stores } from './de/stores.ts';
import { upload } from './de/upload.ts';
import { xapi } from './de/xapi.ts';
import type { Texts } from './en.ts';

/** Every text of the screen in German, by room. */
export const de: Texts = {
  common,
  frame,
  connection,
  pages,
  login,
  session,
  xapi,
  lists,
  overview,
  reactions,
  statements,
  upload,
  export: exporting,
  documents,
  agents,
  activities,
  credentials,
  accounts,
  erase,
  stores,
  audit,
  settings,
};
