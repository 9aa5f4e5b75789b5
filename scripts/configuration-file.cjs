const { existsSync, readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const root = join(__dirname, '..');

/**
 * The groups of the configuration file that counts, which `config/file.ts` tells the server: scripts need them before anything is
 * built. Empty where there is none, and where one is wrong, which is for the server to report.
 * @param {Record<string, string | undefined>} env
 * @returns {Record<string, any>}
 */
function readConfigurationFile(env) {
  const named = env.LRS_CONFIG || env.LRSQL_USER_CONFIG_JSON;
  const files = named ? [named] : ['config/lrs.json', 'config/lrsql.json'];
  const file = files.map((name) => resolve(root, name)).find((path) => existsSync(path));
  if (file === undefined) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

module.exports = { readConfigurationFile };
