import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { LinkedFiring } from '../../../../../lib/reactions/service-types.ts';
import { searchOf } from '../../../api/address.ts';
import { useEnvironment } from '../../../api/environment.ts';
import { statementLinksQuery } from '../../../api/reactions.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { type Linking, StatementLink } from './values.tsx';

/** Which reaction made the statement and why, and what it triggered itself; nothing where it has nothing to do with them. */
export function ReactionLinks({ id, link }: Linking & { readonly id: string }) {
  const { reactions } = useTexts();
  const enabled = useEnvironment()['enable-reactions'];
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...statementLinksQuery(id),
    enabled,
  });
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  const { pages = [] } = data ?? {};
  const triggered = pages.flatMap((page) => page.triggered);
  const triggeredBy = pages[0]?.triggeredBy ?? null;
  if (triggered.length === 0 && triggeredBy === null) return null;
  return (
    <Stack gap={4} component="section" aria-label={reactions.links}>
      <Title order={4} size="h5">
        {reactions.links}
      </Title>
      {triggeredBy !== null && (
        <>
          <Line text={reactions.madeBy} firing={triggeredBy} />
          <Entry name={reactions.trigger} id={triggeredBy.triggerId} link={link} />
          {Object.entries(triggeredBy.matched).map(([condition, matched]) => (
            <Entry key={condition} name={condition} id={matched} link={link} />
          ))}
        </>
      )}
      {triggered.map((firing) => (
        <div key={firing.stored}>
          <Line text={reactions.didTrigger} firing={firing} />
          <Entry name={reactions.generated} id={firing.statementId} link={link} />
        </div>
      ))}
      {hasNextPage && (
        <Button
          size="xs"
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          style={{ alignSelf: 'flex-start' }}
        >
          {reactions.moreTriggered}
        </Button>
      )}
    </Stack>
  );
}

function Line({ text, firing: { reaction } }: { readonly text: string; readonly firing: LinkedFiring }) {
  const { reactions } = useTexts();
  return (
    <Text size="sm" className="wrap-anywhere">
      {text}{' '}
      {reaction.deleted ? (
        reactions.deletedReaction(reaction.title || reaction.id)
      ) : (
        <Anchor
          component={Link}
          inherit
          to={{ pathname: '/reactions', search: searchOf({ show: reaction.id }) }}
        >
          {reaction.title}
        </Anchor>
      )}
    </Text>
  );
}

function Entry({ name, id, link }: Linking & { readonly name: string; readonly id: string | null }) {
  const { reactions } = useTexts();
  return (
    <Text size="sm" component="div" ps="md" className="wrap-anywhere">
      {name}: {id === null ? reactions.erased : <StatementLink id={id} link={link} />}
    </Text>
  );
}
