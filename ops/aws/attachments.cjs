/** The bucket of large attachments, which stays when the stack is removed. Browsers upload from pages of any origin. */
const bucketResources = {
  AttachmentBucket: {
    Type: 'AWS::S3::Bucket',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      CorsConfiguration: {
        CorsRules: [
          { AllowedMethods: ['GET', 'PUT'], AllowedOrigins: ['*'], AllowedHeaders: ['*'], MaxAge: 3600 },
        ],
      },
    },
  },
  AttachmentBucketPolicy: {
    Type: 'AWS::S3::BucketPolicy',
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      Bucket: { Ref: 'AttachmentBucket' },
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 's3:*',
            Resource: [
              { 'Fn::GetAtt': ['AttachmentBucket', 'Arn'] },
              { 'Fn::Sub': `\${AttachmentBucket.Arn}/*` },
            ],
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    },
  },
};

/** Settings of the LRS for this bucket. */
const bucketEnvironment = {
  LRS_ATTACHMENT_BUCKET: { Ref: 'AttachmentBucket' },
  LRS_ATTACHMENT_REGION: { Ref: 'AWS::Region' },
};

/** The name of a bucket that exists. @param settings those of the LRS */
const namedBucket = (settings) =>
  settings.LRS_ATTACHMENT_ENDPOINT === undefined && typeof settings.LRS_ATTACHMENT_BUCKET === 'string'
    ? settings.LRS_ATTACHMENT_BUCKET
    : undefined;

/** Whether the functions reach S3. */
const usesBucket = ({ attachments }, settings) => attachments === 's3' || namedBucket(settings) !== undefined;

/**
 * What the functions may do with the bucket. Without `s3:ListBucket` an object that is not there yet would look like one that
 * they may not see.
 */
function bucketStatements(deployment, settings) {
  if (!usesBucket(deployment, settings)) return [];
  const arn =
    deployment.attachments === 's3'
      ? `\${AttachmentBucket.Arn}`
      : `arn:\${AWS::Partition}:s3:::${namedBucket(settings)}`;
  return [
    {
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
      Resource: { 'Fn::Sub': `${arn}/attachments/*` },
    },
    { Effect: 'Allow', Action: 's3:ListBucket', Resource: { 'Fn::Sub': arn } },
  ];
}

module.exports = { bucketEnvironment, bucketResources, bucketStatements, usesBucket };
