const { logicalId } = require('./logical-id.cjs');

/** The function behind gateways that lead to one. */
const target = logicalId('all');

/**
 * An Application Load Balancer before the function with all endpoints. It invokes the function by Lambda's API, so its subnets
 * and those of the database need not know each other.
 */
function loadBalancerResources({ gateway, albScheme, albSubnetIds, albSecurityGroupIds, certificateArn }) {
  if (gateway !== 'alb') return {};
  return {
    LoadBalancer: {
      Type: 'AWS::ElasticLoadBalancingV2::LoadBalancer',
      Properties: {
        Type: 'application',
        Scheme: albScheme,
        Subnets: albSubnetIds,
        SecurityGroups: albSecurityGroupIds,
      },
    },
    LoadBalancerTarget: {
      Type: 'AWS::ElasticLoadBalancingV2::TargetGroup',
      DependsOn: ['LoadBalancerPermission'],
      Properties: {
        TargetType: 'lambda',
        Targets: [{ Id: { 'Fn::GetAtt': [target, 'Arn'] } }],
        // Otherwise repeated headers and parameters lose all values but one.
        TargetGroupAttributes: [{ Key: 'lambda.multi_value_headers.enabled', Value: 'true' }],
      },
    },
    LoadBalancerPermission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { 'Fn::GetAtt': [target, 'Arn'] },
        Principal: 'elasticloadbalancing.amazonaws.com',
        SourceAccount: { Ref: 'AWS::AccountId' },
      },
    },
    LoadBalancerListener: {
      Type: 'AWS::ElasticLoadBalancingV2::Listener',
      Properties: {
        LoadBalancerArn: { Ref: 'LoadBalancer' },
        Port: 443,
        Protocol: 'HTTPS',
        Certificates: [{ CertificateArn: certificateArn }],
        SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
        DefaultActions: [{ Type: 'forward', TargetGroupArn: { Ref: 'LoadBalancerTarget' } }],
      },
    },
  };
}

module.exports = { loadBalancerResources };
