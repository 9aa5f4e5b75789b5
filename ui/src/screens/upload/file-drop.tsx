import { Button, FileButton, Paper, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';

/** Where a file is dropped or chosen. */
export function FileDrop({ onChoose }: { readonly onChoose: (file: File) => void }) {
  const { upload } = useTexts();
  const [isOver, setOver] = useState(false);
  return (
    <Paper
      withBorder
      p="xl"
      role="group"
      aria-label={upload.file}
      style={{ borderStyle: 'dashed', borderWidth: 2 }}
      {...(isOver && { bg: 'var(--mantine-primary-color-light)' })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer.files[0];
        if (file !== undefined) onChoose(file);
      }}
    >
      <Stack align="center" gap="xs">
        <FileButton onChange={(file) => file !== null && onChoose(file)} accept={accepted}>
          {(props) => (
            <Button {...props} leftSection={<IconFileUpload size={18} aria-hidden />}>
              {upload.chooseFile}
            </Button>
          )}
        </FileButton>
        <Text size="sm">{upload.orDrop}</Text>
        <Text size="xs" c="dimmed" ta="center">
          {upload.kinds}
        </Text>
      </Stack>
    </Paper>
  );
}

const accepted = '.json,.jsonl,.ndjson,.gz,.txt,application/json,application/gzip';
