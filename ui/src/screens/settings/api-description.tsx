import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconEye, IconEyeOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { readApiDescription } from '../../api/settings.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Snippet } from '../../components/snippet.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The OpenAPI document of all routes; it needs the login token, so no plain link leads to it. */
export function ApiDescription() {
  const { settings: texts } = useTexts();
  const [shown, setShown] = useState<string>();
  const download = useMutation({
    mutationFn: readApiDescription,
    onSuccess: (text) => saveFile(new Blob([text], { type: 'application/json' }), 'openapi.json'),
  });
  const show = useMutation({ mutationFn: readApiDescription, onSuccess: setShown });
  const error = download.error ?? show.error;
  const Eye = shown === undefined ? IconEye : IconEyeOff;
  return (
    <Stack>
      <Title order={2} size="h4">
        {texts.api}
      </Title>
      <Text size="sm">{texts.apiText}</Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          {texts.apiDownload}
        </Button>
        <Button
          variant="default"
          leftSection={<Eye size={16} aria-hidden />}
          loading={show.isPending}
          aria-expanded={shown !== undefined}
          onClick={() => (shown === undefined ? show.mutate() : setShown(undefined))}
        >
          {shown === undefined ? texts.apiShow : texts.apiHide}
        </Button>
      </Group>
      {error !== null && <ErrorNotice error={error} />}
      {shown !== undefined && (
        <Box mah="60vh" style={{ overflow: 'auto' }}>
          <Snippet text={shown} label={texts.api} />
        </Box>
      )}
    </Stack>
  );
}
