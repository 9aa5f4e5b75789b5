import { login } from '../login.ts';
import { jsonType, list, statementText } from '../texts.ts';
import type { Context } from '../types.ts';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
}

/** Repeats calls in turn, with a login token. */
export async function administer(context: Context, calls: readonly Call[], count: number): Promise<void> {
  const authorization = await login(context);
  await context.parallel(context.amount(count), 4, (index) => {
    const { method = 'GET', path, body } = calls[index % calls.length] ?? { path: '/admin/me' };
    return context.client.send({
      method,
      path,
      headers: { ...(body !== undefined && jsonType), Authorization: authorization },
      ...(body !== undefined && { body }),
    });
  });
}

/** Stores 20,000 statements of 500 actors about as many activities. */
export async function storeSome({ client, amount, parallel }: Context): Promise<void> {
  await parallel(amount(40), 2, (batch) =>
    client.post(
      `[${list(500, (index) =>
        statementText({
          actor: `{"mbox":"mailto:l${index}@x.org","name":"Learner % ${index}"}`,
          verb: `{"id":"http://x.org/v${batch}"}`,
          object: `{"id":"http://x.org/course/${batch}/${index}","definition":{"name":{"en":"Course _ ${index}"}}}`,
        }),
      )}]`,
    ),
  );
}
