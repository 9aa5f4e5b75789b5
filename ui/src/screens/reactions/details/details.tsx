import { Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { reactionQuery } from '../../../api/reactions.ts';
import { DetailsDrawer } from '../../../components/details-drawer.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { JsonView } from '../../../components/json-view.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { OnResumed } from '../use-activation.ts';
import type { Places } from '../use-places.ts';
import { FiringHistory } from './firing-history.tsx';
import { ReactionFacts } from './reaction-facts.tsx';
import { ReactionTools } from './reaction-tools.tsx';
import { ReplayForm } from './replay-form.tsx';

interface DetailsProps {
  readonly places: Places;
  readonly onResumed: OnResumed;
  /** Told of the id of a reaction that is deleted. */
  readonly onDeleted: (id: string) => void;
}

/** The reaction that the address names, over the list. */
export function Details({ places, onResumed, onDeleted }: DetailsProps) {
  const { reactions } = useTexts();
  const { shown } = places;
  return (
    <DetailsDrawer
      opened={shown !== undefined}
      title={reactions.details}
      onClose={() => places.open(undefined)}
    >
      {shown !== undefined && (
        <Found key={shown} id={shown} places={places} onResumed={onResumed} onDeleted={onDeleted} />
      )}
    </DetailsDrawer>
  );
}

function Found({ id, places, onResumed, onDeleted }: DetailsProps & { readonly id: string }) {
  const { reactions } = useTexts();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    reactionQuery(id),
  );
  const [reaction] = data?.pages ?? [];
  if (reaction === undefined) {
    return error === null ? <Waiting /> : <ErrorNotice error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <ReactionTools reaction={reaction} places={places} onResumed={onResumed} onDeleted={onDeleted} />
      <ReactionFacts reaction={reaction} />
      <ReplayForm reaction={reaction} />
      <FiringHistory
        firings={data?.pages.flatMap(({ firings }) => firings) ?? []}
        isLoading={isFetchingNextPage}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      />
      <Title order={3} size="h5">
        {reactions.ruleset}
      </Title>
      <JsonView text={JSON.stringify(reaction.ruleset)} label={reactions.ruleset} />
    </>
  );
}
