import { attacks } from './attacks.ts';
import { type AttackTask, type HostileClients, OwnAttackers } from './own-attackers.ts';

/*
 * The attackers, in a process of their own with the least priority. Started by `distant-attackers.ts`, which tells first what to attack
 * and then when to prepare, to run and to report.
 */

export type AttackerOrder =
  | { readonly name: string; readonly task: AttackTask }
  | 'prepare'
  | 'run'
  | 'report';

let attackers: HostileClients | undefined;

async function obey(order: AttackerOrder): Promise<void> {
  if (order === 'prepare') await attackers?.prepare();
  else if (order === 'run') await attackers?.run();
  else if (order !== 'report') attackers = attackersOf(order);
  process.send?.(await attackers?.report());
}

function attackersOf({ name, task }: Exclude<AttackerOrder, string>): HostileClients {
  const attack = attacks.find((each) => each.name === name);
  if (attack === undefined) throw new Error(`There is no attack ${name}.`);
  return new OwnAttackers(attack, task);
}

process.on('message', (order: AttackerOrder) => void obey(order));
process.on('disconnect', () => process.exit(0));
