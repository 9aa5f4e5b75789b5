import { createHash } from 'node:crypto';
import { mapInTurns } from '../../in-turns.ts';
import { printBeginning } from '../../json/print-beginning.ts';
import type { StatementPage } from '../../statements/types.ts';
import { beginningOf } from '../../text-slices.ts';
import { identifierOf } from '../../xapi/agent.ts';
import { LanguagePicker } from '../../xapi/language.ts';
import { parseStored } from '../../xapi/statement/stored-statement.ts';
import type { Actor, LanguageMap, Statement, StatementObject } from '../../xapi/types.ts';
import type { HttpResponse } from '../types.ts';
import { type Html, html } from './escape.ts';

/** Characters of one statement that are shown. */
const mostCharacters = 65_536;
/** Characters of a name that are shown. */
const mostOfName = 300;
/** Characters of the encoded parameters of a link; what has longer ones is no link. */
const mostOfQuery = 2_000;

const style = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid #8888;padding:.75rem 0}h2{font-size:1rem;margin:0}p{margin:.25rem 0;overflow-wrap:anywhere}
pre{overflow:auto;background:#8882;padding:.75rem}`;

/** Nothing runs and nothing is loaded; the one style is known by its hash. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface StatementPageOptions {
  /** The address of the next page; empty on the last one. */
  readonly more: string;
  /** The ranges of `Accept-Language`, best first. */
  readonly languages: readonly string[];
}

/** Statements for people: a line for each, with links to those that have something in common with it, and its JSON text. */
export async function statementPage(
  page: StatementPage,
  { more, languages }: StatementPageOptions,
): Promise<HttpResponse> {
  const picker = new LanguagePicker(languages);
  const articles = await mapInTurns(page.statements, ({ text }) => article(text, picker));
  const next = more === '' ? [] : [html`<p><a href="${more}" rel="next">More statements</a></p>`];
  const none = articles.length === 0 ? [html`<p>There are no such statements.</p>`] : [];
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Statements</title><style>${{ html: style }}</style></head>
<body><main><h1>Statements</h1>
<p><a href="?">Newest first</a> · <a href="?ascending=true">Oldest first</a></p>
${[...articles, ...none, ...next]}
</main></body></html>
`;
  return {
    statusCode: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      Vary: 'Accept, Accept-Language',
    },
    body: document.html,
  };
}

function article(text: string, languages: LanguagePicker): Html {
  const { statement, source } = parseStored(text);
  const { id = '', actor, verb, object, stored = '', context } = statement;
  const registration = context?.registration;
  return html`<article><h2 dir="auto">${linked(nameOfActor(actor), agentQuery(actor))} ${linked(
    named(verb.display, languages) ?? verb.id,
    { verb: verb.id },
  )} ${linked(nameOfObject(object, languages), objectQuery(object))}</h2>
<p>${linked(stored, { statementId: id })}${
    registration === undefined ? '' : html` · ${linked(`Registration ${registration}`, { registration })}`
  }</p>
<details><summary>JSON</summary><pre>${shownText(source, text.length)}</pre></details></article>
`;
}

/** @param length of the statement as it is stored. */
function shownText(source: Statement, length: number): string {
  // One character more tells whether that is all.
  const text = printBeginning(source, 2, mostCharacters + 1);
  if (text.length <= mostCharacters) return text;
  return `${beginningOf(text, mostCharacters)}\n… the statement has ${length} characters in all`;
}

/** A relative address, so that it works below any path; without parameters, or with long ones, only the text. */
function linked(text: string, query: Readonly<Record<string, string>> = {}): Html {
  const shown = text.length <= mostOfName ? text : `${beginningOf(text, mostOfName)}…`;
  const length = Object.values(query).reduce((sum, value) => sum + value.length, 0);
  // Encoding only lengthens a text, so values of megabytes are not encoded first.
  if (length === 0 || length > mostOfQuery) return html`${shown}`;
  const encoded = new URLSearchParams(query).toString();
  return encoded.length > mostOfQuery ? html`${shown}` : html`<a href="?${encoded}">${shown}</a>`;
}

function named(map: LanguageMap | undefined, languages: LanguagePicker): string | undefined {
  const tag = map && languages.pick(map);
  return tag === undefined ? undefined : map?.[tag];
}

function nameOfActor(actor: Actor): string {
  const identifier = identifierOf(actor)?.replace(/^\w+::(?:mailto:)?/, '');
  return actor.name ?? identifier ?? 'An anonymous Group';
}

function agentQuery(actor: Actor): Record<string, string> | undefined {
  const { objectType, mbox, mbox_sha1sum, openid, account } = actor;
  if (identifierOf(actor) === undefined) return undefined;
  return {
    agent: JSON.stringify({ objectType, mbox, mbox_sha1sum, openid, account }),
    related_agents: 'true',
  };
}

function nameOfObject(object: StatementObject, languages: LanguagePicker): string {
  if (object.objectType === 'StatementRef') return `the statement ${object.id}`;
  if (object.objectType === 'SubStatement') {
    const { actor, verb, object: of } = object;
    return `a statement: ${nameOfActor(actor)} ${named(verb.display, languages) ?? verb.id} ${nameOfObject(of, languages)}`;
  }
  return isActor(object) ? nameOfActor(object) : (named(object.definition?.name, languages) ?? object.id);
}

function objectQuery(object: StatementObject): Record<string, string> | undefined {
  if (object.objectType === 'StatementRef') return { statementId: object.id };
  if (object.objectType === 'SubStatement') return undefined;
  return isActor(object) ? agentQuery(object) : { activity: object.id, related_activities: 'true' };
}

const isActor = (object: StatementObject): object is Actor =>
  object.objectType === 'Agent' || object.objectType === 'Group';
