import { createScratchDatabase } from '../../scripts/scratch-database.ts';
import { type PrivateServer, startPrivateServer } from '../support/private-server.ts';

export const databases = ['sqlite', 'postgres', 'mariadb'] as const;
export type DatabaseName = (typeof databases)[number];

export function isDatabase(name: string): name is DatabaseName {
  return databases.some((each) => each === name);
}

/** An empty database for one proof. */
export interface ProofDatabase {
  readonly settings: Readonly<Record<string, string>>;
  /** Kills its server and starts it again; undefined where the server is not the proof's own, or there is none. */
  readonly restart: (() => Promise<void>) | undefined;
  remove(): Promise<void>;
}

/** On a server of its own where the programs for it are installed, else on the one that listens on this machine. */
export async function openProofDatabase(name: DatabaseName): Promise<ProofDatabase> {
  const server = name === 'sqlite' ? undefined : await startPrivateServer(name);
  const scratch = await createScratchDatabase(name, server?.url);
  return {
    settings: scratch.settings,
    restart: server && (() => restart(server)),
    async remove() {
      await scratch.drop().catch(() => undefined);
      await server?.remove();
    },
  };
}

async function restart(server: PrivateServer): Promise<void> {
  await server.kill();
  await server.start();
}
