import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { XapiAccess } from '../../api/xapi.ts';
import { useFormats } from '../../texts/formats.ts';
import { useTexts } from '../../texts/texts.tsx';
import { currentUpload } from './engine/desk.ts';
import { type StoredProgress, unfinishedUploads } from './engine/progress-store.ts';
import { UploadRun } from './engine/upload-run.ts';
import { FileDrop } from './file-drop.tsx';
import { senderFor } from './sender.ts';
import { Unfinished } from './unfinished.tsx';
import { mayWrite, useWritingKey, WritingKey } from './writing-key.tsx';

/** Choose the key pair and the file, then start. */
export function NewUpload({ xapi }: { readonly xapi: XapiAccess }) {
  const { upload } = useTexts();
  const [apiKey, setApiKey] = useState<string>();
  const [file, setFile] = useState<File>();
  const credential = useWritingKey(apiKey);
  const isReady = credential !== undefined && mayWrite(credential);
  const start = (chosen: File, progress: StoredProgress | undefined) => {
    if (credential === undefined) return;
    const order = { apiKey: credential['api-key'], send: senderFor({ ...xapi, credential }) };
    currentUpload.set(new UploadRun({ ...order, file: chosen, words: upload.problems, progress }));
  };
  return (
    <Stack maw={800}>
      <WritingKey credential={credential} onChoose={setApiKey} />
      <FileDrop onChoose={setFile} />
      {file === undefined ? <Unfinished /> : <Chosen file={file} isReady={isReady} onStart={start} />}
    </Stack>
  );
}

interface ChosenProps {
  readonly file: File;
  readonly isReady: boolean;
  readonly onStart: (file: File, progress: StoredProgress | undefined) => void;
}

/** The file, and where to begin if a part of it has been sent. */
function Chosen({ file, isReady, onStart }: ChosenProps) {
  const { upload } = useTexts();
  const { number, bytes } = useFormats();
  const progress = unfinishedUploads().find(
    ({ name, size, lastModified }) =>
      name === file.name && size === file.size && lastModified === file.lastModified,
  );
  return (
    <Paper withBorder p="md" role="status">
      <Stack gap="sm">
        <Title order={2} size="h4" className="wrap-anywhere">
          {file.name}
        </Title>
        <Text size="sm">{bytes(file.size)}</Text>
        {progress !== undefined && <Text size="sm">{upload.sentBefore(number(progress.settled))}</Text>}
        <Group>
          {progress !== undefined && (
            <Button disabled={!isReady} onClick={() => onStart(file, progress)}>
              {upload.goOnThere}
            </Button>
          )}
          <Button
            disabled={!isReady}
            variant={progress === undefined ? 'filled' : 'default'}
            onClick={() => onStart(file, undefined)}
          >
            {progress === undefined ? upload.start : upload.startOver}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
