import { Stack, Tabs, Text, Title } from '@mantine/core';
import type { UsableCredential } from '../../api/credentials.ts';
import { curlCallOf, curlThatReads, curlThatSends, hiddenSecret } from '../../api/curl.ts';
import { useEnvironment } from '../../api/environment.ts';
import { Snippet } from '../../components/snippet.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { javascriptOf } from './snippet-texts.ts';
import { MoodleFields, StorylineFields } from './tools.tsx';

interface RecipesProps {
  readonly credential: UsableCredential;
  readonly revealed: boolean;
}

/** How programs use a key pair, with the address of this server filled in. */
export function Recipes({ credential, revealed }: RecipesProps) {
  const { credentials: texts } = useTexts();
  const call = curlCallOf(useEnvironment(), credential);
  const shown = revealed ? call : { ...call, secret: hiddenSecret };
  const tool = { call, shown, scopes: credential.scopes };
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List aria-label={texts.recipes}>
        <Tabs.Tab value="curl">curl</Tabs.Tab>
        <Tabs.Tab value="javascript">JavaScript</Tabs.Tab>
        <Tabs.Tab value="moodle">Moodle</Tabs.Tab>
        <Tabs.Tab value="storyline">Articulate Storyline</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="curl" pt="md">
        <Stack gap="xs">
          <Recipe title={texts.curlSends} text={curlThatSends(call)} shown={curlThatSends(shown)} />
          <Recipe title={texts.curlReads} text={curlThatReads(call)} shown={curlThatReads(shown)} />
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="javascript" pt="md">
        <Stack gap="xs">
          <Recipe title={texts.javascript} text={javascriptOf(call)} shown={javascriptOf(shown)} />
          <Text size="sm">{texts.javascriptWarning}</Text>
        </Stack>
      </Tabs.Panel>
      <Tabs.Panel value="moodle" pt="md">
        <MoodleFields {...tool} />
      </Tabs.Panel>
      <Tabs.Panel value="storyline" pt="md">
        <StorylineFields {...tool} />
      </Tabs.Panel>
    </Tabs>
  );
}

interface RecipeProps {
  readonly title: string;
  readonly text: string;
  readonly shown: string;
}

function Recipe({ title, text, shown }: RecipeProps) {
  return (
    <>
      <Title order={4} size="h6">
        {title}
      </Title>
      <Snippet text={text} shown={shown} label={title} />
    </>
  );
}
