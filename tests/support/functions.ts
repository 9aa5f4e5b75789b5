import { groupOf } from '../../functions/lambda/groups.ts';
import { xapiPrefix } from '../../functions/routes.ts';
import type { Handler } from '../../lib/http/handler.ts';

/** The functions of `serverless.yml` that requests reach through the gateway, with the settings of the environment. */
export interface Functions {
  readonly statements: Handler;
  readonly resources: Handler;
  readonly administration: Handler;
  readonly screen: Handler;
}

/** The modules that their bundles are made of, all in this process and over one LRS. */
export async function loadFunctions(): Promise<Functions> {
  const [statements, resources, administration, screen] = await Promise.all([
    import('../../functions/lambda/statements.ts'),
    import('../../functions/lambda/resources.ts'),
    import('../../functions/lambda/administration.ts'),
    import('../../functions/lambda/screen.ts'),
  ]);
  return {
    statements: statements.handler,
    resources: resources.handler,
    administration: administration.handler,
    screen: screen.handler,
  };
}

/** The function that the gateway chooses for a path, under the default prefix. */
export const functionOf = (path: string): keyof Functions => groupOf(path, xapiPrefix);
