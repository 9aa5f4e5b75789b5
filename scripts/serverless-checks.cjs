const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join, resolve } = require('node:path');

/** A Serverless plugin that stops a command which could not work, with a sentence that says what to do. */
class ServerlessChecks {
  constructor(serverless, options, { log }) {
    const fail = (message) => {
      throw new serverless.classes.Error(message);
    };
    let migrated = false;
    const build = async () => {
      const bundle = 'dist/lambda-statements.mjs';
      if (!existsSync(join(serverless.serviceDir, bundle))) {
        fail(`${bundle}, which the functions come from, is missing: run \`npm run build\` first.`);
      }
      const { isBuilt } = await import('./build.mjs');
      if (await isBuilt()) return;
      fail('dist/ was built from other sources than those that are here now: run `npm run build` first.');
    };
    const memory = () => {
      const { environment } = serverless.service.provider;
      if (options.useInProcess || environment?.LRS_DB_NAME !== ':memory:') return;
      fail(
        'LRS_DB_NAME=:memory: needs --useInProcess: without it each function has a thread, and a database, of its own.',
      );
    };
    const certificate = () => {
      const folder =
        options.httpsProtocol ?? serverless.service.custom?.['serverless-offline']?.httpsProtocol;
      if (folder === undefined) return;
      for (const name of ['key.pem', 'cert.pem'].filter((file) => !existsSync(resolve(folder, file)))) {
        fail(
          `--httpsProtocol needs a folder with key.pem and cert.pem: ${resolve(folder, name)} is missing.`,
        );
      }
    };
    /** What only the deployment knows, such as the address of a database that it makes, is no text yet. */
    const texts = (environment = {}) =>
      Object.fromEntries(Object.entries(environment).filter(([, value]) => typeof value === 'string'));
    const isComplete = (environment = {}) =>
      Object.values(environment).every((value) => typeof value === 'string');
    const run = (script) =>
      spawnSync(process.execPath, [script], {
        cwd: serverless.serviceDir,
        env: { PATH: process.env.PATH, ...texts(serverless.service.provider.environment) },
        encoding: 'utf8',
      });
    /** Before anything is created, and so that functions need not load what checks them. */
    const settings = () => {
      if (!isComplete(serverless.service.provider.environment)) return;
      const { status, stderr } = run('dist/pack-settings.mjs');
      if (status !== 0) fail(`The settings can't be used: ${stderr}`);
    };
    /** A deployment does it in a step of its own; a database in memory is made by the process that it belongs to. */
    const migrate = () => {
      if (serverless.service.provider.environment?.LRS_DB_NAME === ':memory:') return;
      const { status, stderr } = run('dist/migrate.mjs');
      if (status !== 0) fail(`The database could not be migrated: ${stderr}`);
    };
    const offline = async () => {
      await build();
      memory();
      certificate();
      if (!migrated) migrate();
      migrated = true;
    };
    const database = () => {
      if (require('./serverless-settings.cjs').databaseType !== 'sqlite') return;
      log.warning(
        'The database is SQLite, a file that each instance of a function would have for itself and lose: on AWS set LRS_DB_TYPE to postgres or mariadb.',
      );
    };
    this.hooks = {
      'before:package:initialize': async () => {
        await build();
        settings();
        database();
      },
      'before:offline:start:init': offline,
      'before:offline:start': offline,
    };
  }
}

module.exports = ServerlessChecks;
