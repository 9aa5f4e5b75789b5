import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { searchOf } from '../../api/address.ts';
import { useTexts } from '../../texts/texts.tsx';

interface StatementAnchorProps {
  /** Null when the statement was erased. */
  readonly id: string | null;
  /** Whether the page with the link stays, such as one that is edited. */
  readonly isApart?: boolean;
}

/** Leads to a statement, by the beginning of its id. */
export function StatementAnchor({ id, isApart = false }: StatementAnchorProps) {
  const { reactions, xapi } = useTexts();
  if (id === null)
    return (
      <Text span inherit>
        {reactions.erased}
      </Text>
    );
  return (
    <Anchor
      component={Link}
      to={{ pathname: '/statements', search: searchOf({ show: id }) }}
      size="sm"
      title={id}
      aria-label={xapi.statement(id)}
      {...(isApart && { target: '_blank' })}
      style={{ display: 'inline-block', minHeight: 24, whiteSpace: 'nowrap' }}
    >
      {id.slice(0, 8)}…
    </Anchor>
  );
}
