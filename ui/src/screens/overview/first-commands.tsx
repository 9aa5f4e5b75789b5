import { Text } from '@mantine/core';
import type { UsableCredential } from '../../api/credentials.ts';
import { curlCallOf, curlThatReads, curlThatSends, hiddenSecret } from '../../api/curl.ts';
import { useEnvironment } from '../../api/environment.ts';
import { Snippet } from '../../components/snippet.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Commands that send a statement to this server and read it back; the secret is only in what is copied. */
export function FirstCommands({ credential }: { readonly credential: UsableCredential }) {
  const { overview: texts } = useTexts();
  const call = curlCallOf(useEnvironment(), credential);
  const shown = { ...call, secret: hiddenSecret };
  return (
    <>
      <Text size="sm">{texts.send}</Text>
      <Snippet text={curlThatSends(call)} shown={curlThatSends(shown)} label={texts.sendLabel} />
      <Text size="sm">{texts.readBack}</Text>
      <Snippet text={curlThatReads(call)} shown={curlThatReads(shown)} label={texts.readBackLabel} />
      {call.endpoint.startsWith('https:') && <Text size="sm">{texts.ownCertificate}</Text>}
    </>
  );
}
