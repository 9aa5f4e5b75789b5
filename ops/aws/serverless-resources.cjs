const { service } = require('../../scripts/serverless-settings.cjs');
const { extensionsFor, outputsFor, resourcesFor } = require('./resources.cjs');

/** Called once by a deployment or by a schedule, never by clients. */
const notForRequests = new Set(['migrate', 'background']);

/** The `resources` of serverless.yml. */
module.exports = async ({ resolveConfigurationProperty }) => {
  const functions = Object.keys(await resolveConfigurationProperty(['functions']));
  const timeout = Number(await resolveConfigurationProperty(['provider', 'timeout']));
  const forRequests = functions.filter((name) => !notForRequests.has(name));
  return {
    Resources: resourcesFor(service, forRequests, timeout),
    Outputs: outputsFor(service),
    extensions: extensionsFor(service, forRequests),
  };
};
