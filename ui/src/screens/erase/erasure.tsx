import { Alert } from '@mantine/core';
import { actorIfi } from '../../api/erasure.ts';
import { useTexts } from '../../texts/texts.tsx';
import { agentIn, identifierText } from '../../xapi/actor.ts';
import { CountedActor } from './counted-actor.tsx';

/** The erasure of the actor that the address names. */
export function Erasure({ agent: json }: { readonly agent: string }) {
  const { erase: texts } = useTexts();
  const agent = agentIn(json);
  const ifi = agent && actorIfi(agent);
  const name = agent && identifierText(agent);
  if (ifi === undefined || name === undefined) return <Alert color="red">{texts.noIdentifier}</Alert>;
  return <CountedActor ifi={ifi} name={name} />;
}
