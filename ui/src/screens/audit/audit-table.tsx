import { Stack, Table, Text } from '@mantine/core';
import type { AuditEvent } from '../../api/audit.ts';
import { ScrollTable } from '../../components/scroll-table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';

/** Who did what, when, from where and with which outcome. */
export function AuditTable({ events }: { readonly events: readonly AuditEvent[] }) {
  const { pages, audit: texts } = useTexts();
  const heads = [texts.time, texts.account, texts.action, texts.subject, texts.address, texts.outcome];
  return (
    <ScrollTable label={pages.audit} minWidth={1000}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </Table.Tbody>
    </ScrollTable>
  );
}

function EventRow({ event }: { readonly event: AuditEvent }) {
  const { audit: texts } = useTexts();
  const formats = useFormats();
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" component="time" dateTime={event.at} style={{ whiteSpace: 'nowrap' }}>
          {formats.dateTime(event.at)}
        </Text>
      </Table.Td>
      <Table.Td className="wrap-anywhere" miw={130}>
        {event.username ?? event['account-id'] ?? texts.nobody}
      </Table.Td>
      <Table.Td>
        <Action action={event.action} />
      </Table.Td>
      <Table.Td className="wrap-anywhere" maw={260}>
        <Text size="xs" ff="monospace">
          {event.subject ?? '–'}
        </Text>
      </Table.Td>
      <Table.Td className="wrap-anywhere" miw={130}>
        {event.client ?? '–'}
      </Table.Td>
      <Table.Td>
        <Outcome status={event.status} />
      </Table.Td>
    </Table.Tr>
  );
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
