import { epochSql } from '../../db/cache-epoch.ts';
import type { ReadSession } from '../../db/types.ts';
import type { StoredReaction } from './reaction-rows.ts';

/** An active reaction, but for its ruleset. */
export type ActiveReaction = Pick<StoredReaction, 'id' | 'version' | 'since'>;

/** Which reactions are active, in the order in which they were made, and the epoch in which that counts. */
export interface ActiveReactions {
  readonly epoch: number;
  readonly reactions: readonly ActiveReaction[];
}

/** The epoch of the reactions: a number that is replaced when one becomes active, inactive or slow, is slow no more, or is active and gets another ruleset. */
export async function selectEpoch(session: ReadSession): Promise<number> {
  const [row] = await session.select<{ epoch: number | null }>(`SELECT ${epochSql('reactions')} AS epoch`);
  return row?.epoch ?? 0;
}

export async function selectActive(session: ReadSession): Promise<ActiveReactions> {
  const rows = await session.select<ActiveReaction & { readonly epoch: number }>(
    `SELECT id, version, since, ${epochSql('reactions')} AS epoch FROM reaction WHERE active = 1
     ORDER BY created, id`,
  );
  const epoch = rows[0]?.epoch ?? (await selectEpoch(session));
  return { epoch, reactions: rows.map(({ id, version, since }) => ({ id, version, since })) };
}

/** The rulesets of reactions, as JSON, with the version that each has. */
export function selectRulesets(
  session: ReadSession,
  ids: readonly string[],
): Promise<Pick<StoredReaction, 'id' | 'version' | 'ruleset'>[]> {
  return session.select('SELECT id, version, ruleset FROM reaction WHERE id IN (:ids)', { ids });
}
