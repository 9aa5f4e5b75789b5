import Joi from 'joi';
import { flag, ignored, integer, list, secret, text, withoutLogin } from './kinds.ts';

interface TokenTimes {
  readonly jwtExpTime?: number;
  readonly jwtRefreshInterval?: number;
}

const jvm = 'it only means something on the JVM';

export const tls = {
  keyPkeyFile: text(
    'PEM file of the private key for HTTPS. When it or the chain changes, new connections use what is there then, without a restart.',
  ).default('config/server.key.pem'),
  keyCertChain: list(Joi.string(), 'PEM files of the certificate chain, the server’s own first.', {
    env: 'KEY_CERT_FILE',
  })
    .min(1)
    .default(['config/server.crt.pem', 'config/cacert.pem']),
  keyPassword: secret('Passphrase of the private key, when it has one.'),
  keyEnableSelfie: flag('Make a self-signed certificate when there is no key file.').default(true),
  keyFile: ignored(jvm, 'Java keystore.'),
  keyAlias: ignored(jvm, 'Name of the key in the Java keystore.'),
};

const refreshShare = 59 / 60;

export const jwt = {
  jwtExpTime: integer('Life of a token (s).').min(2).default(3600),
  jwtExpLeeway: integer('Tolerance for clocks that differ (s).').min(0).default(1),
  jwtRefreshExpTime: integer('For how long after the login a token can be renewed (s).')
    .min(1)
    .default(86_400),
  jwtRefreshInterval: integer('How often the admin screen renews its token (s).', {
    defaultText: '3540, at most 59/60 of jwtExpTime',
  })
    .min(1)
    .less(Joi.ref('jwtExpTime'))
    .default((group: TokenTimes) => Math.min(3540, Math.floor((group.jwtExpTime ?? 3600) * refreshShare))),
  jwtInteractionWindow: integer('How recent the last use of the admin screen must be for a renewal (s).', {
    defaultText: '600, at most jwtRefreshInterval',
  })
    .min(1)
    .max(Joi.ref('jwtRefreshInterval'))
    .default((group: TokenTimes) => Math.min(600, group.jwtRefreshInterval ?? 600)),
  jwtCommonSecret: secret(
    'Secret that signs tokens; 32 characters or more are advised. Without it a random one is made once and kept in the database.',
  ),
};

const noValText = (description: string): Joi.StringSchema => text(description).default(null);

export const externalLogin = {
  jwtNoVal: flag(
    'Believe the tokens that a proxy puts on requests, without looking at their signature and times. Only for a service that is reached through that proxy and nothing else. Needs the four keys below.',
  ).default(false),
  jwtNoValUname: noValText('Claim of those tokens with the user name.'),
  jwtNoValIssuer: noValText('Claim with the issuer: a name belongs to one issuer.'),
  jwtNoValRoleKey: noValText('Claim with the role, or with a list of roles.'),
  jwtNoValRole: noValText('Role that may administer.'),
  jwtNoValLogoutUrl: noValText('Where the admin screen goes on logout.'),
  oidcIssuer: text(
    'Issuer of an OpenID provider whose access tokens are accepted; see [oidc.md](oidc.md). Exactly as the provider writes it.',
    { kind: 'an http or https address without user, password, query and fragment' },
  )
    .pattern(/^https?:\/\/[^\s?#]+$/)
    .custom(withoutLogin)
    .default(null),
  oidcAudience: text(
    'What those tokens must be made for (claim `aud`). Without it tokens for anything count.',
  ).default(null),
  oidcClientId: text('Client with which the admin screen logs people in at the provider.').default(null),
  oidcClientTemplate: text(
    'File with the JSON template of the public settings of that client, in place of the built-in ones; variables are `{{webserver.oidc-issuer}}` and the like. Without a setting `config/oidc_client.json.template` is used when it exists.',
    { defaultText: 'config/oidc_client.json.template' },
  ).default(null),
  oidcVerifyRemoteIssuer: flag(
    'Whether the provider must call itself exactly `oidcIssuer`. If not, tokens may name either.',
  ).default(true),
  oidcEnableLocalAdmin: flag(
    'Whether accounts with a password may log in and be made beside the provider’s. Only counts with `oidcIssuer`.',
  ).default(false),
};
