import { createHash, randomUUID } from 'node:crypto';
import type { BuiltServer } from './built-server.ts';

/** Invented people, courses and results, as a small training department would send them: what the screenshots show. */

const people = [
  'Amara Okafor',
  'Ben Holt',
  'Chiara Ricci',
  'Deniz Kaya',
  'Elin Lund',
  'Farid Azimi',
  'Grace Lin',
];

const courses = [
  { id: 'fire-safety', en: 'Fire safety', de: 'Brandschutz' },
  { id: 'first-aid', en: 'First aid', de: 'Erste Hilfe' },
  { id: 'data-protection', en: 'Data protection', de: 'Datenschutz' },
  { id: 'forklift', en: 'Forklift licence', de: 'Staplerschein' },
  { id: 'welcome', en: 'Welcome to the team', de: 'Willkommen im Team' },
];

const verbs = [
  { id: 'http://adlnet.gov/expapi/verbs/experienced', display: { en: 'experienced', de: 'erlebte' } },
  { id: 'http://adlnet.gov/expapi/verbs/answered', display: { en: 'answered', de: 'beantwortete' } },
  { id: 'http://adlnet.gov/expapi/verbs/completed', display: { en: 'completed', de: 'beendete' } },
  { id: 'http://adlnet.gov/expapi/verbs/passed', display: { en: 'passed', de: 'bestand' } },
  { id: 'http://adlnet.gov/expapi/verbs/failed', display: { en: 'failed', de: 'bestand nicht' } },
];

const platforms = ['Example LMS', 'Safety App', 'Simulator'];

const pick = <T>(list: readonly T[], n: number): T => {
  const item = list[n % list.length];
  if (item === undefined) throw new Error('The list is empty.');
  return item;
};

const actorOf = (name: string) => ({
  objectType: 'Agent',
  name,
  mbox: `mailto:${name.toLowerCase().replace(' ', '.')}@example.org`,
});

const addressOf = (course: string): string => `https://lms.example.org/courses/${course}`;

/** The n-th statement; its parts recur at different intervals, so that no two lists look alike. */
function statement(n: number): object {
  const course = pick(courses, n * 3 + Math.floor(n / 7));
  const verb = pick(verbs, n * 7 + Math.floor(n / 4));
  const judged = /passed|failed/.test(verb.id);
  const success = verb.id.endsWith('passed');
  return {
    id: randomUUID(),
    actor: actorOf(pick(people, n * 5 + Math.floor(n / 3))),
    verb,
    object: {
      id: addressOf(course.id),
      definition: {
        name: { en: course.en, de: course.de },
        type: 'http://adlnet.gov/expapi/activities/course',
      },
    },
    ...(judged && { result: { success, score: { scaled: success ? 0.7 + (n % 4) / 20 : 0.3 } } }),
    context: { platform: pick(platforms, n % 5), registration: randomUUID() },
  };
}

/** Sends statements, one of them with an attachment and one that is voided, and documents. @throws Error when one is refused. */
export async function loadDemonstration({ url, key, secret }: BuiltServer): Promise<void> {
  const headers = {
    Authorization: `Basic ${btoa(`${key}:${secret}`)}`,
    'X-Experience-API-Version': '2.0.0',
  };
  const send = async (method: string, path: string, type: string, body: string): Promise<void> => {
    const answer = await fetch(`${url}/xapi/${path}`, {
      method,
      headers: { ...headers, 'Content-Type': type },
      body,
    });
    if (!answer.ok)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  };
  const json = 'application/json';
  for (let n = 0; n < 420; n += 60) {
    const statements = Array.from({ length: 60 }, (_, index) => statement(n + index));
    await send('POST', 'statements', json, JSON.stringify(statements));
  }
  const wrong = randomUUID();
  await send('POST', 'statements', json, JSON.stringify({ ...statement(1), id: wrong }));
  await send('POST', 'statements', json, JSON.stringify(voiding(wrong)));
  const [type, body] = withCertificate();
  await send('POST', 'statements', type, body);
  for (const name of people.slice(0, 4)) {
    const agent = JSON.stringify(actorOf(name));
    const state = new URLSearchParams({ activityId: addressOf('fire-safety'), agent, stateId: 'bookmark' });
    await send('PUT', `activities/state?${state}`, json, JSON.stringify({ page: name.length, of: 24 }));
    const profile = new URLSearchParams({ agent, profileId: 'preferences' });
    await send('POST', `agents/profile?${profile}`, json, JSON.stringify({ captions: true }));
  }
}

function voiding(id: string): object {
  return {
    actor: actorOf('Grace Lin'),
    verb: { id: 'http://adlnet.gov/expapi/verbs/voided', display: { en: 'voided', de: 'machte ungültig' } },
    object: { objectType: 'StatementRef', id },
  };
}

/** The type and the body of a request with a statement and the certificate that it tells of (xAPI 1.0.3 Communication 1.5.2). */
function withCertificate(): readonly [string, string] {
  const content = 'This is to certify that Amara Okafor has passed: First aid.';
  const sha2 = createHash('sha256').update(content).digest('hex');
  const attachment = {
    usageType: 'http://id.tincanapi.com/attachment/certificate-of-completion',
    display: { en: 'Certificate', de: 'Zertifikat' },
    contentType: 'text/plain',
    length: content.length,
    sha2,
  };
  const told = { ...statement(2), actor: actorOf('Amara Okafor'), attachments: [attachment] };
  const parts = [
    `Content-Type: application/json\r\n\r\n${JSON.stringify(told)}`,
    `Content-Type: text/plain\r\nContent-Transfer-Encoding: binary\r\nX-Experience-API-Hash: ${sha2}\r\n\r\n${content}`,
  ];
  const body = `${parts.map((part) => `--part\r\n${part}\r\n`).join('')}--part--\r\n`;
  return ['multipart/mixed; boundary=part', body];
}
