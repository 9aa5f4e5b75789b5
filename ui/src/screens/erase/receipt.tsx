import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Erasure } from '../../api/erasure.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Counts } from './counts.tsx';

interface ReceiptProps {
  /** As people read it. */
  readonly name: string;
  readonly erasure: Erasure;
}

/** That an erasure is complete, what it removed, when and by whom; to be kept. */
export function Receipt({ name, erasure }: ReceiptProps) {
  const { erase: texts } = useTexts();
  const { dateTime } = useFormats();
  const { rows, receipt, 'actor-ifi': actor } = erasure;
  const { at, username, 'audit-event': entry } = receipt;
  const message = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone, and this is what it has come to (WCAG 2.4.3).
  useEffect(() => message.current?.focus(), []);
  const text = JSON.stringify({ erased: actor, at, by: username, 'audit-event': entry, rows }, undefined, 2);
  return (
    <Stack>
      <Alert color="green" role="status" title={texts.complete} ref={message} tabIndex={-1}>
        <Text size="sm" className="wrap-anywhere">
          {texts.erasedBy(name, dateTime(at), username)}
        </Text>
        <Text size="sm" className="wrap-anywhere">
          {texts.inTrail(entry)}
        </Text>
      </Alert>
      <Counts title={texts.erased(name)} rows={rows} />
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile(new Blob([text], { type: 'application/json' }), `erasure-${entry}.json`)}
        >
          {texts.downloadReceipt}
        </Button>
        <CopyButton value={text} label={texts.copyReceipt} />
      </Group>
      <Text size="sm" c="dimmed" maw={520}>
        {texts.receiptHint}
      </Text>
    </Stack>
  );
}
