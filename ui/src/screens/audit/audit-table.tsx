import { Stack, Text } from '@mantine/core';
import type { AuditEvent } from '../../api/audit.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { EventSubject, Filtering } from './event-subject.tsx';

/** Who did what, to what and how much of it, when, from where and with which outcome. */
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
  return [
    {
      key: 'time',
      title: texts.time,
      noWrap: true,
      cell: (event) => <Times event={event} />,
    },
    {
      key: 'account',
      title: texts.account,
      cell: ({ username, 'account-id': id }) =>
        username === null ? (id ?? texts.nobody) : <Filtering name="username" value={username} />,
    },
    { key: 'action', title: texts.action, cell: ({ action }) => <Action action={action} /> },
    {
      key: 'subject',
      title: texts.subject,
      width: '22%',
      cell: (event) => <EventSubject event={event} />,
    },
    { key: 'address', title: texts.address, cell: ({ client }) => client ?? '–' },
    { key: 'outcome', title: texts.outcome, cell: (event) => <Outcome event={event} /> },
  ];
}

/** When it was; of several events also how many, and when the last one was. */
function Times({ event }: { readonly event: AuditEvent }) {
  const { audit: texts } = useTexts();
  const { dateTime, time } = useFormats();
  const { at, times, 'last-at': last } = event;
  return (
    <Stack gap={0} style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm" fw="inherit" component="time" dateTime={at}>
        {dateTime(at)}
      </Text>
      {times !== undefined && last !== undefined && (
        <Text size="xs" c="dimmed">
          {texts.repeated(times, time(last))}
        </Text>
      )}
    </Stack>
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

function Outcome({ event: { outcome, status } }: { readonly event: AuditEvent }) {
  const { audit: texts } = useTexts();
  const color = outcome === 'done' ? undefined : outcome === 'unknown' ? 'orange.9' : 'red';
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }} {...(color !== undefined && { c: color })}>
      {texts.outcomes[outcome]}
      {status > 0 && ` · ${status}`}
    </Text>
  );
}
