import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { environmentQuery } from '../api/environment.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Snippet } from '../components/snippet.tsx';
import { useTexts } from '../texts/texts.tsx';
import { EntryPage } from './entry-page.tsx';
import { newPassword } from './new-password.ts';

const username = 'firstadmin';

/** There is no account yet, and only the configuration can make the first one. */
export function FirstRun() {
  const { login: texts } = useTexts();
  const { refetch, isFetching, error, isFetchedAfterMount } = useQuery({
    ...environmentQuery,
    refetchOnMount: false,
  });
  const [password] = useState(newPassword);
  const config = { lrs: { adminUserDefault: username, adminPassDefault: password } };
  return (
    <EntryPage title={texts.firstTitle} width={640}>
      <Text>{texts.firstText}</Text>
      <Text>{texts.firstCommand}</Text>
      <Snippet
        label={texts.firstCommandLabel}
        text={`LRS_ADMIN_USER_DEFAULT=${username} LRS_ADMIN_PASS_DEFAULT='${password}' npm start`}
      />
      <Text>{texts.firstFile}</Text>
      <Snippet label={texts.firstFileLabel} text={JSON.stringify(config, null, 2)} />
      <Text>{texts.firstAfter}</Text>
      {error !== null && <ErrorNotice error={error} />}
      <Group>
        <Button onClick={() => void refetch()} loading={isFetching}>
          {texts.lookAgain}
        </Button>
        <Text role="status">{isFetchedAfterMount && !isFetching && texts.stillNone}</Text>
      </Group>
    </EntryPage>
  );
}
