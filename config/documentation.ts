import { groupNames, hasEffect, isChoice, type Key, keys } from './schema/keys.ts';

const introduction = `# Configuration

<!-- Generated from config/schema by scripts/generate-configuration.ts; edit there. -->

Every setting is optional. It comes from the environment, else from the file, else the default counts.

- **Environment**: the names in the tables below. Each is accepted with the prefix \`LRSQL_\` in place of \`LRS_\`, too; when both are set, \`LRS_\` counts. An empty variable counts as not set. Lists are separated by commas.
- **File**: \`config/lrs.json\` in the working directory; \`LRS_CONFIG\` (or \`LRSQL_USER_CONFIG_JSON\`) names another. It holds a JSON object of groups, each an object of keys:

  \`\`\`json
  { "lrs": { "adminUserDefault": "firstadmin", "adminPassDefault": "…" }, "webserver": { "httpPort": 8081 } }
  \`\`\`

  A key is accepted in any group. \`null\` counts as not set.
- A mistake (an unknown name, a value that does not fit, settings that contradict each other) stops the start with one sentence for each. Values of secrets are never shown.

Secrets are best put into the environment. They are marked *secret* below.

Settings that need a feature which this release does not have are known, but refused when they ask for it. Settings that have no effect here are accepted with a warning.
`;

const differences = `
## Coming from lrsql

Names and groups are lrsql's, so a configuration can be carried over. These points differ:

- The environment wins over the file (in lrsql the file wins).
- Unknown names and values that do not fit stop the start.
- \`dbName\` names a new store; an lrsql database can't be opened.
- \`enableHttp2\` and \`enableStmtHtml\` are \`true\` in lrsql; this release does not have these features.
- \`keyPassword\` is the passphrase of the PEM key \`keyPkeyFile\`. There are no Java keystores.
- \`authorityTemplate\`, \`oidcAuthorityTemplate\` and \`oidcClientTemplate\` have only plain variables, no filters and no comments. A file that is named must exist.
- What differs with OpenID Connect stands in [oidc.md](oidc.md).
- \`stmtGetMaxBytes\`, \`credentialKey\`, \`maxBodyBytes\` and \`trustProxy\` are new.
- Without \`jwtCommonSecret\` tokens are signed with a secret that is kept in the database, not with the key for HTTPS.
`;

const headings: Readonly<Record<string, string>> = {
  database: 'Database',
  connection: 'Connection',
  tuning: 'Tuning',
  lrs: 'LRS',
  webserver: 'Web server',
  logger: 'Log',
};

/** The text of `docs/configuration.md`: every key with its names, kind, default and meaning. */
export function configurationPage(): string {
  return [introduction, ...groupNames.map(groupSection), differences].join('');
}

function groupSection(group: string): string {
  const all = [...keys.values()].filter((key) => key.group === group);
  return [
    `\n## ${headings[group] ?? group}: \`${group}\`\n`,
    table('', all.filter(hasEffect)),
    table(
      'Known, but without effect in this release:\n\n',
      all.filter((key) => !hasEffect(key)),
    ),
  ].join('');
}

function table(heading: string, listed: readonly Key[]): string {
  if (listed.length === 0) return '';
  return `
${heading}| Key | Environment | Value | Default | Meaning |
|---|---|---|---|---|
${listed.map(row).join('\n')}
`;
}

function row(key: Key): string {
  const names = key.envNames.map((name) => `\`LRS_${name}\``).join(', ');
  return `| \`${key.name}\` | ${names} | ${key.kind} | ${defaultText(key)} | ${meaning(key)} |`;
}

function defaultText(key: Key): string {
  if (key.meta.defaultText !== undefined) return key.meta.defaultText;
  if (key.default === undefined || key.default === null) return '–';
  return shown(Array.isArray(key.default) ? key.default.join(',') : key.default);
}

const accepted = (off: readonly unknown[] = []): string =>
  off.length === 0 ? '' : `; only ${off.map(shown).join(', ')} ${off.length > 1 ? 'are' : 'is'} accepted`;

/** A code span can't be empty. */
const shown = (value: unknown): string => (value === '' ? 'an empty text' : `\`${value}\``);

function meaning(key: Key): string {
  const { description, meta } = key;
  const lack = isChoice(key) ? 'This release does not have' : '**Not in this release**:';
  const notes = [
    meta.secret === true ? '*Secret.*' : '',
    meta.unavailable === undefined ? '' : `${lack} ${meta.unavailable}${accepted(meta.off)}.`,
    meta.ignored === undefined ? '' : `**No effect**: ${meta.ignored}.`,
  ];
  return [description, ...notes].filter((part) => part !== '').join(' ');
}
