import { type ErrorCode, errorCodeNames, errorCodes } from '../errors.ts';
import { statusOf } from '../http/error-response.ts';

const introduction = `# Errors

<!-- Generated from lib/errors.ts by scripts/generate-errors.ts; edit there. -->

Every answer of 400 and above, whatever the path, is a JSON object:

\`\`\`json
{
  "error": "username must have at least 7 characters",
  "code": "invalid",
  "details": [{ "path": "username", "message": "must have at least 7 characters" }]
}
\`\`\`

| Member | Meaning |
|---|---|
| \`error\` | One text for people. It may change between releases. |
| \`code\` | One of the codes below, for programs. A code keeps its meaning; later releases may add codes. |
| \`details\` | Only where it helps: one entry for each mistake, all at once. \`path\` is the place in the body or the parameter, \`message\` the rule it breaks, \`section\` the part of the specification that the rule comes from, and \`rule\`, for rulesets of reactions, the stable name of the rule. |

No answer holds a password, somebody else's secret, SQL or a stack. An answer to HEAD has the status and no body.

## Codes

| Code | Status | Meaning | What to do |
|---|---|---|---|
`;

/** The text of `docs/errors.md`: every code with its status, by status. */
export function errorPage(): string {
  const rows = [...errorCodeNames].sort((one, other) => statusOf[one] - statusOf[other]).map(row);
  return `${introduction}${rows.join('\n')}\n`;
}

function row(code: ErrorCode): string {
  const { meaning, remedy } = errorCodes[code];
  return `| \`${code}\` | ${statusOf[code]} | ${meaning} | ${remedy} |`;
}
