import { groupNames, hasEffect, type Key, keys } from './schema/keys.ts';

const introduction = `# Configuration

<!-- Generated from config/schema by scripts/generate-configuration.ts; edit there. -->

Every setting is optional. It comes from the environment, else from the file, else the default counts.

- **Environment**: the names in the tables below. Each is accepted with the prefix \`LRSQL_\` in place of \`LRS_\`, too; when both are set, \`LRS_\` counts. An empty variable counts as not set. Lists are separated by commas.
- **File**: \`config/lrs.json\` in the working directory, without it \`config/lrsql.json\`, where lrsql looks; \`LRS_CONFIG\` (or \`LRSQL_USER_CONFIG_JSON\`) names another. It holds a JSON object of groups, each an object of keys:

  \`\`\`json
  { "lrs": { "adminUserDefault": "firstadmin", "adminPassDefault": "…" }, "webserver": { "httpPort": 8081 } }
  \`\`\`

  A key is accepted in any group. \`null\` counts as not set.
- A mistake (an unknown name, a value that does not fit, settings that contradict each other) stops the start with one sentence for each. Values of secrets are never shown.

Secrets are best put into the environment. They are marked *secret* below. A secret may also be named instead, and is read from AWS at the start with the role of the process:

- \`arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME\`: a secret of Secrets Manager. \`:MEMBER\` behind it takes one member of a JSON object, such as \`:password\` of a secret that RDS manages.
- \`arn:aws:ssm:REGION:ACCOUNT:parameter/NAME\`: a parameter of the Systems Manager Parameter Store.

Names and groups are those of lrsql, so a configuration can be carried over; [coming-from-lrsql.md](coming-from-lrsql.md) lists what differs. Settings that have no effect here are accepted with a warning; they are in the [appendix](#appendix-settings-without-effect).
`;

const headings: Readonly<Record<string, string>> = {
  database: 'Database',
  connection: 'Connection',
  lrs: 'LRS',
  webserver: 'Web server',
  stores: 'Stores',
  logger: 'Log',
  telemetry: 'Metrics and traces',
};

/** The text of `docs/configuration.md`: every key with its names, kind, default and meaning. */
export function configurationPage(): string {
  return [introduction, whatPeopleChangeFirst(), ...groupNames.map(groupSection), appendix()].join('');
}

/** What people change first, by what they want. */
const wanted: readonly (readonly [string, readonly string[]])[] = [
  ['The first account', ['adminUserDefault', 'adminPassDefault']],
  ['The address that statements name as their authority', ['authorityUrl']],
  ['Another port, or this machine only', ['httpPort', 'httpHost']],
  ['Which database', ['dbType', 'dbName']],
  ['Where the database server is', ['dbHost']],
  ['Who logs in at it', ['dbUser', 'dbPassword']],
  ['A certificate for HTTPS', ['keyPkeyFile', 'keyCertChain']],
  ['A reverse proxy in front', ['trustProxy']],
  ['Pages of other origins that may call', ['allowedOrigins']],
  ['Deletion of actors, and reactions', ['enableAdminDeleteActor', 'enableReactions']],
];

const whatPeopleChangeFirst = (): string => `
## What people change first

| To set | Keys | Environment | Default |
|---|---|---|---|
${wanted.map(([purpose, names]) => wantedRow(purpose, names.map(keyNamed))).join('\n')}
`;

function wantedRow(purpose: string, listed: readonly Key[]): string {
  const each = (textOf: (key: Key) => string): string => listed.map(textOf).join(', ');
  const name = (key: Key): string => `\`${key.name}\``;
  return `| ${purpose} | ${each(name)} | ${each(variables)} | ${each(defaultText)} |`;
}

function keyNamed(name: string): Key {
  const key = keys.get(name);
  if (key === undefined) throw new Error(`There is no setting ${name}.`);
  return key;
}

function groupSection(group: string): string {
  const listed = [...keys.values()].filter((key) => key.group === group && hasEffect(key));
  if (listed.length === 0) return '';
  return `\n## ${headings[group] ?? group}: \`${group}\`\n${table(listed)}`;
}

function appendix(): string {
  const without = [...keys.values()].filter((key) => !hasEffect(key));
  return `
## Appendix: settings without effect

These are known, so that a configuration of lrsql can be carried over.
${table(without)}`;
}

function table(listed: readonly Key[]): string {
  return `
| Key | Environment | Value | Default | Meaning |
|---|---|---|---|---|
${listed.map(row).join('\n')}
`;
}

function row(key: Key): string {
  return `| \`${key.name}\` | ${variables(key)} | ${key.kind} | ${defaultText(key)} | ${meaning(key)} |`;
}

function variables({ envNames }: Key): string {
  return envNames.map((name) => `\`LRS_${name}\``).join(', ');
}

function defaultText(key: Key): string {
  if (key.meta.defaultText !== undefined) return key.meta.defaultText;
  if (key.default === undefined || key.default === null) return '–';
  return shown(Array.isArray(key.default) ? key.default.join(',') : key.default);
}

/** A code span can't be empty. */
const shown = (value: unknown): string => (value === '' ? 'an empty text' : `\`${value}\``);

function meaning(key: Key): string {
  const { description, meta } = key;
  const notes = [
    meta.secret === true ? '*Secret.*' : '',
    meta.ignored === undefined ? '' : `**No effect**: ${meta.ignored}.`,
  ];
  return [description, ...notes].filter((part) => part !== '').join(' ');
}
