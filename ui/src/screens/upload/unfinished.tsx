import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { forgetProgress, unfinishedUploads } from './engine/progress-store.ts';

/** Uploads that were interrupted, to be resumed by choosing the same file. */
export function Unfinished() {
  const { upload } = useTexts();
  const { number, bytes } = useFormats();
  const [uploads, setUploads] = useState(unfinishedUploads);
  if (uploads.length === 0) return null;
  return (
    <Alert title={upload.unfinished}>
      <Stack gap="xs">
        <Text size="sm">{upload.unfinishedText}</Text>
        <List size="sm" listStyleType="none">
          {uploads.map(({ fingerprint, name, settled, position, size }) => (
            <List.Item key={fingerprint}>
              <Group gap="sm">
                <span className="wrap-anywhere">
                  {upload.unfinishedFile(name, number(settled), bytes(position), bytes(size))}
                </span>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={upload.forgetFile(name)}
                  onClick={() => {
                    forgetProgress(fingerprint);
                    setUploads(unfinishedUploads());
                  }}
                >
                  {upload.forget}
                </Button>
              </Group>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  );
}
