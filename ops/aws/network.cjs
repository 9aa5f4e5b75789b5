const range = '10.42.0.0/16';
const postgresPort = 5432;

const named = (what) => [{ Key: 'Name', Value: { 'Fn::Sub': `\${AWS::StackName} ${what}` } }];

const subnet = (zone, CidrBlock) => ({
  Type: 'AWS::EC2::Subnet',
  Properties: {
    VpcId: { Ref: 'Network' },
    CidrBlock,
    AvailabilityZone: { 'Fn::Select': [zone, { 'Fn::GetAZs': '' }] },
    Tags: named(`private ${zone + 1}`),
  },
});

const securityGroup = (GroupDescription, rules) => ({
  Type: 'AWS::EC2::SecurityGroup',
  Properties: { GroupDescription, VpcId: { Ref: 'Network' }, ...rules },
});

const fromFunctions = (port) => ({
  SecurityGroupIngress: [
    {
      Description: 'the functions',
      IpProtocol: 'tcp',
      FromPort: port,
      ToPort: port,
      SourceSecurityGroupId: { 'Fn::GetAtt': ['FunctionsSecurityGroup', 'GroupId'] },
    },
  ],
});

/**
 * A network of two private subnets, without a way to the internet and back. The functions reach the database and, by an
 * endpoint in one of the zones, Secrets Manager.
 */
const networkResources = {
  Network: {
    Type: 'AWS::EC2::VPC',
    Properties: {
      CidrBlock: range,
      EnableDnsSupport: true,
      EnableDnsHostnames: true,
      Tags: named('network'),
    },
  },
  SubnetOne: subnet(0, '10.42.0.0/20'),
  SubnetTwo: subnet(1, '10.42.16.0/20'),
  FunctionsSecurityGroup: securityGroup('Functions of the LRS', {
    SecurityGroupEgress: [
      { Description: 'the network', IpProtocol: 'tcp', FromPort: 0, ToPort: 65_535, CidrIp: range },
    ],
  }),
  DatabaseSecurityGroup: securityGroup('Database of the LRS', fromFunctions(postgresPort)),
  EndpointSecurityGroup: securityGroup('Endpoint of Secrets Manager', fromFunctions(443)),
  SecretsEndpoint: {
    Type: 'AWS::EC2::VPCEndpoint',
    Properties: {
      VpcId: { Ref: 'Network' },
      ServiceName: { 'Fn::Sub': `com.amazonaws.\${AWS::Region}.secretsmanager` },
      VpcEndpointType: 'Interface',
      PrivateDnsEnabled: true,
      SubnetIds: [{ Ref: 'SubnetOne' }],
      SecurityGroupIds: [{ Ref: 'EndpointSecurityGroup' }],
    },
  },
};

const routed = (SubnetId) => ({
  Type: 'AWS::EC2::SubnetRouteTableAssociation',
  Properties: { RouteTableId: { Ref: 'Routes' }, SubnetId: { Ref: SubnetId } },
});

/** The way from this network to buckets of the same region, which costs nothing. There is still none to anything else. */
const wayToS3 = {
  Routes: { Type: 'AWS::EC2::RouteTable', Properties: { VpcId: { Ref: 'Network' }, Tags: named('routes') } },
  RoutesOfSubnetOne: routed('SubnetOne'),
  RoutesOfSubnetTwo: routed('SubnetTwo'),
  BucketEndpoint: {
    Type: 'AWS::EC2::VPCEndpoint',
    Properties: {
      VpcId: { Ref: 'Network' },
      ServiceName: { 'Fn::Sub': `com.amazonaws.\${AWS::Region}.s3` },
      VpcEndpointType: 'Gateway',
      RouteTableIds: [{ Ref: 'Routes' }],
    },
  },
  // The addresses of S3 lie outside of the network.
  BucketEgress: {
    Type: 'AWS::EC2::SecurityGroupEgress',
    Properties: {
      GroupId: { 'Fn::GetAtt': ['FunctionsSecurityGroup', 'GroupId'] },
      Description: 'S3',
      IpProtocol: 'tcp',
      FromPort: 443,
      ToPort: 443,
      CidrIp: '0.0.0.0/0',
    },
  },
};

/** The `vpc` of functions in this network. */
const networkOfFunctions = {
  subnetIds: [{ Ref: 'SubnetOne' }, { Ref: 'SubnetTwo' }],
  securityGroupIds: [{ 'Fn::GetAtt': ['FunctionsSecurityGroup', 'GroupId'] }],
};

module.exports = { networkResources, networkOfFunctions, wayToS3 };
