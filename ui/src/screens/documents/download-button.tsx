import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { DocumentName } from '../../api/directory-pages.ts';
import type { XapiAccess } from '../../api/xapi.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useTexts } from '../../texts/texts.tsx';
import type { Content } from './content.ts';
import { downloadDocument } from './document-calls.ts';
import { idOf } from './document-name.ts';

interface DownloadButtonProps {
  readonly name: DocumentName;
  readonly xapi: XapiAccess;
  readonly content: Content;
}

export function DownloadButton({ name, xapi, content }: DownloadButtonProps) {
  const { documents: texts } = useTexts();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const blob = 'blob' in content ? content.blob : await downloadDocument(xapi, name);
      saveFile(blob, fileNameOf(idOf(name)));
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={isPending}
        onClick={() => mutate()}
      >
        {texts.download}
      </Button>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}

/** Ids may be IRIs. */
function fileNameOf(id: string): string {
  return id.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
}
