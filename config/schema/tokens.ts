import Joi from 'joi';
import { flag, ignored, integer, list, secret, switchedOff, text, unavailable } from './kinds.ts';

interface TokenTimes {
  readonly jwtExpTime?: number;
  readonly jwtRefreshInterval?: number;
}

const jvm = 'it only means something on the JVM';

export const tls = {
  keyPkeyFile: text('PEM file of the private key for HTTPS.').default('config/server.key.pem'),
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
    'Secret that signs tokens, 32 characters or more. Without it a random one is made once and kept in the database.',
  ),
};

const noVal = 'the acceptance of tokens that a proxy has checked';
const oidc = 'OIDC';
const noValText = (description: string): Joi.StringSchema =>
  unavailable(text(description), noVal, []).strip();

export const externalLogin = {
  jwtNoVal: switchedOff(noVal, 'Accept tokens of a proxy without checking their signature.'),
  jwtNoValUname: noValText('Claim with the user name.'),
  jwtNoValIssuer: noValText('Claim with the issuer.'),
  jwtNoValRoleKey: noValText('Claim with the roles.'),
  jwtNoValRole: noValText('Role that is needed.'),
  jwtNoValLogoutUrl: noValText('Where the admin screen goes on logout.'),
  oidcIssuer: unavailable(text('Issuer of OIDC tokens.'), oidc, []).strip(),
  oidcAudience: unavailable(text('Expected audience of OIDC tokens.'), oidc, []).strip(),
  oidcClientId: unavailable(text('OIDC client of the admin screen.'), oidc, []).strip(),
  oidcClientTemplate: unavailable(text('File with the template of the client’s settings.'), oidc, [
    'config/oidc_client.json.template',
  ]).strip(),
  oidcVerifyRemoteIssuer: unavailable(flag('Compare the discovered issuer.'), oidc, [true]).strip(),
  oidcEnableLocalAdmin: unavailable(flag('Keep local accounts beside OIDC.'), oidc, [false]).strip(),
};
