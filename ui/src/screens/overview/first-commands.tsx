import { Text } from '@mantine/core';
import { addressOf } from '../../api/address.ts';
import type { UsableCredential } from '../../api/credentials.ts';
import { curlThatReads, curlThatSends } from '../../api/curl.ts';
import { useEnvironment } from '../../api/environment.ts';
import { newestVersion } from '../../api/xapi.ts';
import { Snippet } from '../../components/snippet.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Commands that send a statement to this server and read it back; the secret is only in what is copied. */
export function FirstCommands({ credential }: { readonly credential: UsableCredential }) {
  const { overview: texts } = useTexts();
  const environment = useEnvironment();
  const call = {
    endpoint: addressOf(environment['url-prefix']),
    version: newestVersion(environment),
    apiKey: credential['api-key'],
    secret: credential['secret-key'],
  };
  const shown = { ...call, secret: '••••••••' };
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
