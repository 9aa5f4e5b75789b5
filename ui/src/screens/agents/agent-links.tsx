import type { Actor } from '../../../../lib/xapi/types.ts';
import { PlaceLinks } from '../../components/place-links.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Where the pages about an Agent are. That for erasing says how it is switched on when it is not. */
export function AgentLinks({ agent }: { readonly agent: Actor }) {
  const { agents: texts } = useTexts();
  const parameter = JSON.stringify(agent);
  return (
    <PlaceLinks
      label={texts.links}
      places={[
        { name: texts.statementsBy, path: '/statements', query: { agent: parameter } },
        {
          name: texts.statementsAbout,
          path: '/statements',
          query: { agent: parameter, related_agents: 'true' },
        },
        { name: texts.documents, path: '/documents', query: { agent: parameter } },
        { name: texts.auditTrail, path: '/audit', query: { agent: parameter } },
        { name: texts.erase, path: '/erase', query: { agent: parameter } },
      ]}
    />
  );
}
