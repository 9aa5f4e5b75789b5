import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Activity } from '../../../../lib/xapi/types.ts';
import { sendXapi, type XapiAccess } from '../../api/xapi.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { NeedsScope } from '../../components/needs-scope.tsx';
import { PlaceLinks } from '../../components/place-links.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { DefinitionCard } from './definition-card.tsx';

/** What statements say of an Activity, and where it leads. */
export function ActivityDetails({ id }: { readonly id: string }) {
  const { activities: texts } = useTexts();
  return (
    <>
      <PlaceLinks
        label={texts.links}
        places={[
          { name: texts.statementsOf, path: '/statements', query: { activity: id } },
          {
            name: texts.statementsAbout,
            path: '/statements',
            query: { activity: id, related_activities: 'true' },
          },
          { name: texts.documents, path: '/documents', query: { activityId: id } },
        ]}
      />
      <NeedsScope resource="activities" access="read">
        {(xapi) => <Definition id={id} xapi={xapi} />}
      </NeedsScope>
    </>
  );
}

/** The Activity as the Activities resource tells it (xAPI 1.0.3 Communication 2.5). */
function Definition({ id, xapi }: { readonly id: string; readonly xapi: XapiAccess }) {
  const { activities: texts } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['activity', xapi.credential['api-key'], id],
    queryFn: async ({ signal }) => {
      const response = await sendXapi(xapi, 'activities', { query: { activityId: id }, signal });
      return response.text();
    },
  });
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const activity: Activity = JSON.parse(data);
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        {texts.definition}
      </Title>
      <DefinitionCard definition={activity.definition ?? {}} />
      <JsonView text={data} label={texts.json} />
    </Stack>
  );
}
