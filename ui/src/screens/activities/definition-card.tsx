import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  type ActivityDefinition,
  type InteractionComponent,
  interactionComponentLists,
} from '../../../../lib/xapi/types.ts';
import { Facts } from '../../components/facts.tsx';
import { WebLink } from '../../components/web-link.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useNames } from '../../texts/use-names.ts';

/** The definition of an Activity for people; its extensions are for the JSON beside it. */
export function DefinitionCard({ definition }: { readonly definition: ActivityDefinition }) {
  const { activities: texts } = useTexts();
  const names = useNames();
  const { name, description, type, moreInfo, interactionType, correctResponsesPattern } = definition;
  const facts = [
    { name: texts.name, value: names.text(name) },
    { name: texts.description, value: names.text(description) },
    { name: texts.type, value: type },
    { name: texts.moreInfo, value: moreInfo && <WebLink address={moreInfo} /> },
    { name: texts.interactionType, value: interactionType },
    {
      name: texts.correctResponses,
      value: correctResponsesPattern && <Items items={correctResponsesPattern} />,
    },
    ...interactionComponentLists.map((list) => ({
      name: texts.components[list],
      value: definition[list] && (
        <Items items={definition[list].map((each) => componentText(each, names.text))} />
      ),
    })),
  ];
  if (facts.every(({ value }) => value === undefined)) return <Text size="sm">{texts.noDefinition}</Text>;
  return <Facts label={texts.definition} facts={facts} />;
}

function componentText(
  { id, description }: InteractionComponent,
  textOf: ReturnType<typeof useNames>['text'],
): string {
  const text = textOf(description);
  return text === undefined ? id : `${id}: ${text}`;
}

function Items({ items }: { readonly items: readonly string[] }): ReactNode {
  return (
    <List size="sm">
      {items.map((item) => (
        <List.Item key={item}>{item}</List.Item>
      ))}
    </List>
  );
}
