import { Alert, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useEnvironment } from '../../api/environment.ts';
import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ActorChoice } from './actor-choice.tsx';
import { Erasure } from './erasure.tsx';
import { WhatStays } from './what-stays.tsx';

/** Removes all that is recorded of an actor: chosen, counted, confirmed, done. */
export function EraseScreen() {
  const { pages, erase: texts } = useTexts();
  const isOn = useEnvironment()['enable-admin-delete-actor'];
  const [search, setSearch] = useSearchParams();
  const agent = search.get('agent') ?? '';
  if (!isOn) {
    return (
      <Page title={pages.erase}>
        <Alert title={texts.offTitle}>{texts.offText}</Alert>
      </Page>
    );
  }
  return (
    <Page title={pages.erase}>
      <Text size="sm">{texts.intro}</Text>
      <ActorChoice
        key={agent}
        agent={agent}
        onChoose={(json) => setSearch(json === '' ? {} : { agent: json })}
      />
      {agent !== '' && <Erasure key={`of ${agent}`} agent={agent} />}
      <WhatStays />
    </Page>
  );
}
