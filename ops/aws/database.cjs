/** A release whose Serverless v2 pauses at zero (from 16.3 on). */
const engineVersion = '16.8';
const databaseName = 'lrs';
const user = 'lrs';

/** Half a unit is the least that does not pause. */
const capacity = ({ auroraMaxAcu, auroraPauseSeconds }) =>
  Number(auroraPauseSeconds) === 0
    ? { MinCapacity: 0.5, MaxCapacity: auroraMaxAcu }
    : { MinCapacity: 0, MaxCapacity: auroraMaxAcu, SecondsUntilAutoPause: Number(auroraPauseSeconds) };

/** Aurora Postgres Serverless v2. When the stack is removed, a snapshot of it is kept. RDS makes and keeps its password. */
const auroraResources = (deployment) => ({
  DatabaseSubnets: {
    Type: 'AWS::RDS::DBSubnetGroup',
    Properties: {
      DBSubnetGroupDescription: 'Subnets of the LRS',
      SubnetIds: [{ Ref: 'SubnetOne' }, { Ref: 'SubnetTwo' }],
    },
  },
  Database: {
    Type: 'AWS::RDS::DBCluster',
    DeletionPolicy: 'Snapshot',
    UpdateReplacePolicy: 'Snapshot',
    Properties: {
      Engine: 'aurora-postgresql',
      EngineVersion: engineVersion,
      DatabaseName: databaseName,
      MasterUsername: user,
      ManageMasterUserPassword: true,
      EnableIAMDatabaseAuthentication: true,
      StorageEncrypted: true,
      BackupRetentionPeriod: 7,
      CopyTagsToSnapshot: true,
      DBSubnetGroupName: { Ref: 'DatabaseSubnets' },
      VpcSecurityGroupIds: [{ 'Fn::GetAtt': ['DatabaseSecurityGroup', 'GroupId'] }],
      ServerlessV2ScalingConfiguration: capacity(deployment),
    },
  },
  DatabaseInstance: {
    Type: 'AWS::RDS::DBInstance',
    DeletionPolicy: 'Delete',
    UpdateReplacePolicy: 'Delete',
    Properties: {
      DBClusterIdentifier: { Ref: 'Database' },
      DBInstanceClass: 'db.serverless',
      Engine: 'aurora-postgresql',
      PubliclyAccessible: false,
    },
  },
});

const masterSecret = { 'Fn::GetAtt': ['Database', 'MasterUserSecret.SecretArn'] };

/** Settings of the LRS for this database. Lambda's runtime has the certificates of RDS in that file. */
const auroraEnvironment = {
  LRS_DB_TYPE: 'postgres',
  LRS_DB_HOST: { 'Fn::GetAtt': ['Database', 'Endpoint.Address'] },
  LRS_DB_NAME: databaseName,
  LRS_DB_USER: user,
  LRS_DB_PASSWORD: { 'Fn::Join': ['', [masterSecret, ':password']] },
  LRS_DB_PROPERTIES: 'sslMode=verify-full&sslRootCert=/var/runtime/ca-cert.pem',
};

module.exports = { auroraResources, auroraEnvironment, masterSecret };
