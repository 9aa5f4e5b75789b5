import { type CurlCall, exampleStatement } from '../../api/curl.ts';

/** A module that stores a statement and reads the newest ones, in a browser or in Node.js. */
export function javascriptOf({ endpoint, version, apiKey, secret }: CurlCall): string {
  return `const endpoint = ${JSON.stringify(endpoint)};
const headers = {
  Authorization: 'Basic ' + btoa(${JSON.stringify(apiKey)} + ':' + ${JSON.stringify(secret)}),
  'X-Experience-API-Version': ${JSON.stringify(version)},
  'Content-Type': 'application/json',
};

const statement = ${JSON.stringify(exampleStatement, null, 2)};

const sent = await fetch(endpoint + '/statements', {
  method: 'POST',
  headers,
  body: JSON.stringify(statement),
});
console.log(sent.status, await sent.json());

const read = await fetch(endpoint + '/statements?limit=5', { headers });
console.log(read.status, await read.json());
`;
}
