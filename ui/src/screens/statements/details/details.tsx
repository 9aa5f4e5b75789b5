import { useQuery } from '@tanstack/react-query';
import { DetailsDrawer } from '../../../components/details-drawer.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import type { ListProps } from '../list-props.ts';
import { statementQuery } from '../queries.ts';
import { StatementDetails } from './statement-details.tsx';

/** The statement that the address names, over the list. */
export function Details({ xapi, address }: ListProps) {
  const { statements } = useTexts();
  const { show } = address.place;
  return (
    <DetailsDrawer
      opened={show !== undefined}
      onClose={() => address.go({ show: undefined })}
      title={statements.details}
    >
      {show !== undefined && <Found key={show} xapi={xapi} address={address} id={show} />}
    </DetailsDrawer>
  );
}

function Found({ xapi, address, id }: ListProps & { readonly id: string }) {
  const { data, error, refetch } = useQuery(statementQuery(xapi, id));
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return <StatementDetails xapi={xapi} address={address} found={data} />;
}
