import { Anchor, Stack, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import type { AuditEvent } from '../../api/audit.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { identifierText } from '../../xapi/actor.ts';

/** What was done to what: the subject, the Agent, the filters, how much, and with which key pair. */
export function EventSubject({ event }: { readonly event: AuditEvent }) {
  const { audit: texts } = useTexts();
  const { number } = useFormats();
  const { subject, agent, filters = {}, counts = {}, 'key-pair': keyPair } = event;
  const countNames = new Map<string, string>(Object.entries(texts.counts));
  const lines = [
    ...Object.entries(filters).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(counts).map(([name, count]) => `${countNames.get(name) ?? name}: ${number(count)}`),
    ...(keyPair === undefined ? [] : [`${texts.keyPair}: ${keyPair.slice(0, 8)}…`]),
  ];
  if (subject === null && agent === undefined && lines.length === 0) return <Text size="xs">–</Text>;
  return (
    <Stack gap={0}>
      {subject !== null && (
        <Text size="xs" ff="monospace">
          {subject}
        </Text>
      )}
      {agent === null && <Text size="xs">{texts.unknownAgent}</Text>}
      {agent && (
        <Text size="xs">
          <Filtering name="agent" value={JSON.stringify(agent)} text={identifierText(agent)} />
        </Text>
      )}
      {lines.map((line) => (
        <Text key={line} size="xs" c="dimmed">
          {line}
        </Text>
      ))}
    </Stack>
  );
}

interface FilteringProps {
  readonly name: string;
  readonly value: string;
  readonly text?: string | undefined;
}

/** A value of an event that leads to all events which have it. */
export function Filtering({ name, value, text = value }: FilteringProps) {
  const { audit: texts } = useTexts();
  const [search] = useSearchParams();
  const wanted = new URLSearchParams(search);
  wanted.set(name, value);
  return (
    <Anchor component={Link} to={{ search: wanted.toString() }} inherit title={texts.filterBy(text)}>
      {text}
    </Anchor>
  );
}
