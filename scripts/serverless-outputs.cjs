const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

/** A Serverless plugin that writes what the stack tells into a file, for `npm run deploy`. */
class ServerlessOutputs {
  constructor(serverless) {
    this.hooks = {
      'after:aws:info:gatherData': () => {
        const info = serverless.pluginManager.getPlugins().find(({ gatheredData }) => gatheredData);
        const outputs = (info?.gatheredData.outputs ?? []).map(({ OutputKey, OutputValue }) => [
          OutputKey,
          OutputValue,
        ]);
        const folder = join(serverless.serviceDir, '.serverless');
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, 'outputs.json'), JSON.stringify(Object.fromEntries(outputs)));
      },
    };
  }
}

module.exports = ServerlessOutputs;
