const { alarmResources } = require('./alarms.cjs');
const { bucketResources } = require('./attachments.cjs');
const { auroraResources } = require('./database.cjs');
const { addressOf, domainResources, domainTarget } = require('./domain.cjs');
const { loadBalancerResources } = require('./load-balancer.cjs');
const { logicalId } = require('./logical-id.cjs');
const { networkResources, wayToS3 } = require('./network.cjs');

/**
 * What a deployment needs beside its functions and their HTTP API or URL.
 * @param {ReturnType<import('./service.cjs').describeService>} service
 * @param {readonly string[]} functions those that answer requests, the most important first
 * @param {number} timeout of a function, in seconds
 * @returns {Record<string, object>} by their names in the template
 */
function resourcesFor({ deployment, ownResources, usesBucket }, functions, timeout) {
  return {
    ...ownResources,
    ...(deployment.database === 'aurora' && {
      ...networkResources,
      ...(usesBucket && wayToS3),
      ...auroraResources(deployment),
    }),
    ...(deployment.attachments === 's3' && bucketResources),
    ...loadBalancerResources(deployment),
    ...domainResources(deployment),
    ...alarmResources(deployment, functions, timeout),
  };
}

/** Changes of what Serverless makes itself. */
function extensionsFor({ deployment }, functions) {
  const { gateway, throttleRate, throttleBurst, reservedConcurrency } = deployment;
  const limits = { ThrottlingRateLimit: throttleRate, ThrottlingBurstLimit: throttleBurst };
  const reserved = { Properties: { ReservedConcurrentExecutions: reservedConcurrency } };
  return {
    ...(gateway === 'http-api' && {
      HttpApiStage: { Properties: { DefaultRouteSettings: { DetailedMetricsEnabled: true, ...limits } } },
    }),
    ...(reservedConcurrency > 0 && Object.fromEntries(functions.map((name) => [logicalId(name), reserved]))),
  };
}

/** What the stack tells those who deploy it. */
function outputsFor({ deployment, ownResources }) {
  const { domain } = deployment;
  return {
    Address: { Description: 'Address of the LRS', Value: addressOf(deployment) },
    ...(domain !== undefined && {
      DomainTarget: {
        Description: 'What a DNS record (CNAME) of your host name must name',
        Value: domainTarget(deployment),
      },
    }),
    ...(deployment.attachments === 's3' && {
      AttachmentBucketName: {
        Description: 'Bucket of large attachments',
        Value: { Ref: 'AttachmentBucket' },
      },
    }),
    ...(ownResources.FirstPassword !== undefined && {
      FirstPasswordSecret: {
        Description: 'Secret that holds the password of the first account',
        Value: { Ref: 'FirstPassword' },
      },
    }),
  };
}

module.exports = { resourcesFor, extensionsFor, outputsFor };
