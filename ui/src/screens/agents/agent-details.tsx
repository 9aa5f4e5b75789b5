import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Actor, Person } from '../../../../lib/xapi/types.ts';
import { sendXapi, type XapiAccess } from '../../api/xapi.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Facts } from '../../components/facts.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { NeedsScope } from '../../components/needs-scope.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { AgentLinks } from './agent-links.tsx';

/** What is known of an Agent, and where it leads. */
export function AgentDetails({ agent }: { readonly agent: Actor }) {
  return (
    <>
      <AgentLinks agent={agent} />
      <NeedsScope resource="agents" access="read">
        {(xapi) => <PersonDetails agent={agent} xapi={xapi} />}
      </NeedsScope>
    </>
  );
}

interface PersonDetailsProps {
  readonly agent: Actor;
  readonly xapi: XapiAccess;
}

/** The Agent as the Agents resource tells it (xAPI 1.0.3 Communication 2.4). */
function PersonDetails({ agent, xapi }: PersonDetailsProps) {
  const { agents: texts, xapi: xapiTexts, common } = useTexts();
  const parameter = JSON.stringify(agent);
  const { data, error, refetch } = useQuery({
    queryKey: ['person', xapi.credential['api-key'], parameter],
    queryFn: async ({ signal }) => {
      const response = await sendXapi(xapi, 'agents', { query: { agent: parameter }, signal });
      return response.text();
    },
  });
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const { name = [], mbox, mbox_sha1sum, openid, account }: Person = JSON.parse(data);
  const kinds = xapiTexts.identifierKinds;
  const accounts = account?.map((each) => `${each.name} (${each.homePage})`);
  const facts = [
    { name: texts.names, value: name.length === 0 ? common.none : <Lines lines={name} /> },
    { name: kinds.mbox, value: mbox && <Lines lines={mbox} /> },
    { name: kinds.mbox_sha1sum, value: mbox_sha1sum && <Lines lines={mbox_sha1sum} /> },
    { name: kinds.openid, value: openid && <Lines lines={openid} /> },
    { name: kinds.account, value: accounts && <Lines lines={accounts} /> },
  ];
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {texts.person}
      </Title>
      <Facts label={texts.person} facts={facts} />
      <JsonView text={data} label={texts.personJson} />
    </Stack>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return lines.map((line) => <div key={line}>{line}</div>);
}
