import { accounts } from './en/accounts.ts';
import { activities } from './en/activities.ts';
import { agents } from './en/agents.ts';
import { audit } from './en/audit.ts';
import { common } from './en/common.ts';
import { connection } from './en/connection.ts';
import { credentials } from './en/credentials.ts';
import { documents } from './en/documents.ts';
import { erase } from './en/erase.ts';
import { exporting } from './en/export.ts';
import { frame } from './en/frame.ts';
import { lists } from './en/lists.ts';
import { login } from './en/login.ts';
import { overview } from './en/overview.ts';
import { pages } from './en/pages.ts';
import { reactions } from './en/reactions.ts';
import { session } from './en/session.ts';
import { settings } from './en/settings.ts';
import { statements } from './en/statements.ts';
import { stores } from './en/stores.ts';
import { upload } from './en/upload.ts';
import { xapi } from './en/xapi.ts';
/** Every text of the screen in English, by room. Texts with a place for a value are functions. */
export const en = {
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

export type Texts = typeof en;
