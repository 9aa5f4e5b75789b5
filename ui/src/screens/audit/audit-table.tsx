import { Stack, Text } from '@mantine/core';
import type { AuditEvent } from '../../api/audit.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

/** Who did what, when, from where and with which outcome. */
export function AuditTable({ events }: { readonly events: readonly AuditEvent[] }) {
  const { pages } = useTexts();
  return (
    <DataTable
      label={pages.audit}
      minWidth={900}
      columns={useColumns()}
      rows={events}
      keyOf={({ id }) => id}
    />
  );
}

function useColumns(): readonly Column<AuditEvent>[] {
  const { audit: texts } = useTexts();
  const formats = useFormats();
  return [
    {
      key: 'time',
      title: texts.time,
      noWrap: true,
      cell: ({ at }) => (
        <Text size="sm" fw="inherit" component="time" dateTime={at}>
          {formats.dateTime(at)}
        </Text>
      ),
    },
    {
      key: 'account',
      title: texts.account,
      cell: (event) => event.username ?? event['account-id'] ?? texts.nobody,
    },
    { key: 'action', title: texts.action, cell: ({ action }) => <Action action={action} /> },
    {
      key: 'subject',
      title: texts.subject,
      width: '22%',
      cell: ({ subject }) => (
        <Text size="xs" ff="monospace">
          {subject ?? '–'}
        </Text>
      ),
    },
    { key: 'address', title: texts.address, cell: ({ client }) => client ?? '–' },
    { key: 'outcome', title: texts.outcome, cell: ({ status }) => <Outcome status={status} /> },
  ];
}

/** In words, above method and path. */
function Action({ action }: { readonly action: string }) {
  const { audit: texts } = useTexts();
  const words = new Map<string, string>(Object.entries(texts.actions)).get(action);
  return (
    <Stack gap={0}>
      {words !== undefined && <Text size="sm">{words}</Text>}
      <Text size="xs" c="dimmed" ff="monospace">
        {action}
      </Text>
    </Stack>
  );
}

function Outcome({ status }: { readonly status: number }) {
  const { audit: texts } = useTexts();
  const outcome = status < 400 ? texts.done : status < 500 ? texts.refused : texts.failed;
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }} {...(status >= 400 && { c: 'red' })}>
      {outcome} · {status}
    </Text>
  );
}
