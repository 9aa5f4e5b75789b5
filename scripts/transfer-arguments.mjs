// @ts-check
// JavaScript, because the arguments are checked before there is anything that compiles TypeScript.
import { parseArgs } from 'node:util';
import { serverModes, settingsOfMode } from './serve-arguments.mjs';

export const importUsage = `npm run import -- --from SOURCE [--to URL] [--trusted [--merge]] [--dry-run] [--without-report] [--folder FOLDER] [--lrs ID] [--files FOLDER] [--attachments FOLDER] [--db ${serverModes}]`;
export const exportUsage = `npm run export -- FILE [--with-secrets | --plain] [--db ${serverModes}]`;

/** What `--help` shows. */
export const importHelp = `${importUsage}
Takes over what another LRS has, compares afterwards, and lists what it could not take. docs/migrating.md explains it.
  --from SOURCE         the database of an lrsql (a file of SQLite, postgres://…, mariadb://…), the folder of a dump of Learning
                        Locker, a file of JSON, plain, gzip or zstd, a file of npm run export, the address of an LRS, or -
  --to URL              sends to the LRS at https://KEY:SECRET@HOST/xapi instead of storing in the database of the configuration
  --trusted             statements keep their stored, authority and order; the store must be empty
  --merge               lets --trusted place statements before those that are here already
  --dry-run             checks, and stores nothing
  --without-report      does not compare afterwards
  --folder FOLDER       for the progress, the report and what was refused; import-… in this folder without it
  --lrs ID              of several stores of Learning Locker, the one that is imported
  --files FOLDER        where Learning Locker keeps files
  --attachments FOLDER  where the contents of attachments are, if elsewhere
The environment variables IMPORT_FROM and IMPORT_TO stand for --from and --to, whose secrets other users of the machine could see.
Exit codes: 0 done, 1 failed or interrupted, 2 the command line is wrong, or something differs, was refused or not compared.`;
export const exportHelp = `${exportUsage}
Writes all that the database has into one file, compressed if its name ends in .gz. docs/migrating.md explains it.
  --with-secrets  with hashes of passwords and secret keys: keep the file as safe as the database
  --plain         statements only, one in each line, without contents of attachments`;

/**
 * @typedef {object} ImportArguments
 * @property {string} from
 * @property {string | undefined} to the address of an LRS; the database of the configuration without it
 * @property {boolean} trusted
 * @property {boolean} merge
 * @property {boolean} dryRun
 * @property {boolean} report
 * @property {string | undefined} folder
 * @property {string | undefined} lrs of several stores in Learning Locker, the one that is imported
 * @property {string | undefined} files the folder in which Learning Locker keeps files
 * @property {string | undefined} attachments a folder with the contents of attachments, named by their hashes
 * @property {Readonly<Record<string, string>>} settings those that the option `--db` stands for
 */

/**
 * What stands after `npm run import --`.
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env names the source and the address in place of arguments, which other
 * users of the machine see
 * @returns {ImportArguments}
 * @throws {Error} with a sentence for the person who typed it
 */
export function readImportArguments(args, env = {}) {
  const { values } = parse(args, importUsage, {
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      trusted: { type: 'boolean', default: false },
      merge: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      'without-report': { type: 'boolean', default: false },
      folder: { type: 'string' },
      lrs: { type: 'string' },
      files: { type: 'string' },
      attachments: { type: 'string' },
      db: { type: 'string' },
    },
  });
  const { trusted, merge, folder, lrs, files, attachments, db } = values;
  const { from = env.IMPORT_FROM, to = env.IMPORT_TO } = values;
  if (!from) throw new Error(`Say with --from or IMPORT_FROM where to import from: ${importUsage}`);
  if (to !== undefined && !/^https?:\/\//.test(to))
    throw new Error(`--to must be the address of an LRS: ${importUsage}`);
  if (to !== undefined && trusted) {
    throw new Error(
      '--trusted needs the database: an LRS gives each statement that it is sent its own time and authority.',
    );
  }
  if (merge && !trusted) {
    throw new Error('--merge is for --trusted: without it, nothing is placed before what is stored already.');
  }
  return {
    from,
    to,
    trusted,
    merge,
    dryRun: values['dry-run'],
    report: !values['without-report'],
    folder,
    lrs,
    files,
    attachments,
    settings: db === undefined ? {} : settingsOfMode(db, importUsage),
  };
}

/**
 * @typedef {object} ExportArguments
 * @property {string} file
 * @property {boolean} secrets
 * @property {boolean} plain
 * @property {Readonly<Record<string, string>>} settings those that the option `--db` stands for
 */

/**
 * What stands after `npm run export --`.
 * @param {readonly string[]} args
 * @returns {ExportArguments}
 * @throws {Error} with a sentence for the person who typed it
 */
export function readExportArguments(args) {
  const { values, positionals } = parse(args, exportUsage, {
    options: {
      'with-secrets': { type: 'boolean', default: false },
      plain: { type: 'boolean', default: false },
      db: { type: 'string' },
    },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (!file || positionals.length > 1) throw new Error(`Name one file: ${exportUsage}`);
  const { plain, db } = values;
  const secrets = values['with-secrets'];
  if (plain && secrets) throw new Error('A plain export holds statements only, and so no secrets.');
  return { file, plain, secrets, settings: db === undefined ? {} : settingsOfMode(db, exportUsage) };
}

/**
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {readonly string[]} args
 * @param {string} usage
 * @param {Config} config
 */
function parse(args, usage, config) {
  try {
    return parseArgs({ ...config, args: [...args] });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${reason.replace(/\.$/, '')}. ${usage}`, { cause: error });
  }
}
