const { existsSync } = require('node:fs');
const { join } = require('node:path');

/** A Serverless plugin that stops a command which could not work, with a sentence that says what to do. */
class ServerlessChecks {
  constructor(serverless, options) {
    const fail = (message) => {
      throw new serverless.classes.Error(message);
    };
    const build = () => {
      const bundle = 'dist/lambda.mjs';
      if (existsSync(join(serverless.serviceDir, bundle))) return;
      fail(`${bundle}, which the functions come from, is missing: run \`npm run build\` first.`);
    };
    const memory = () => {
      const { environment } = serverless.service.provider;
      if (options.useInProcess || environment?.LRS_DB_NAME !== ':memory:') return;
      fail(
        'LRS_DB_NAME=:memory: needs --useInProcess: without it each function has a thread, and a database, of its own.',
      );
    };
    const offline = () => {
      build();
      memory();
    };
    this.hooks = {
      'before:package:initialize': build,
      'before:offline:start:init': offline,
      'before:offline:start': offline,
    };
  }
}

module.exports = ServerlessChecks;
