/** A host name of one's own for the HTTP API. */
const nameOfApi = ({ domain, certificateArn }) => ({
  Domain: {
    Type: 'AWS::ApiGatewayV2::DomainName',
    Properties: {
      DomainName: domain,
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    },
  },
  DomainMapping: {
    Type: 'AWS::ApiGatewayV2::ApiMapping',
    Properties: {
      ApiId: { Ref: 'HttpApi' },
      DomainName: { Ref: 'Domain' },
      Stage: { Ref: 'HttpApiStage' },
    },
  },
});

/** What a DNS record of one's own host name leads to, by gateway. */
const targets = {
  'http-api': {
    DNSName: { 'Fn::GetAtt': ['Domain', 'RegionalDomainName'] },
    HostedZoneId: { 'Fn::GetAtt': ['Domain', 'RegionalHostedZoneId'] },
  },
  alb: {
    DNSName: { 'Fn::GetAtt': ['LoadBalancer', 'DNSName'] },
    HostedZoneId: { 'Fn::GetAtt': ['LoadBalancer', 'CanonicalHostedZoneID'] },
  },
};

/** A host name of one's own. A load balancer has it by its certificate alone. */
function domainResources(deployment) {
  const { gateway, domain, hostedZoneId } = deployment;
  if (domain === undefined) return {};
  const record = {
    Type: 'AWS::Route53::RecordSet',
    Properties: { HostedZoneId: hostedZoneId, Name: domain, Type: 'A', AliasTarget: targets[gateway] },
  };
  return {
    ...(gateway === 'http-api' && nameOfApi(deployment)),
    ...(hostedZoneId !== undefined && { DomainRecord: record }),
  };
}

const functionUrlHost = {
  'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': ['AllLambdaFunctionUrl', 'FunctionUrl'] }] }],
};

/** The address that clients call, without a slash at its end. */
function addressOf({ gateway, domain }) {
  if (domain !== undefined) return `https://${domain}`;
  return gateway === 'http-api'
    ? { 'Fn::Sub': `https://\${HttpApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}` }
    : { 'Fn::Join': ['', ['https://', functionUrlHost]] };
}

/** What a DNS record (CNAME) of one's own host name must name. */
const domainTarget = ({ gateway }) => targets[gateway].DNSName;

module.exports = { domainResources, addressOf, domainTarget };
