import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { DocumentName } from '../../api/browse-pages.ts';
import type { XapiAccess } from '../../api/xapi.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fileName } from '../../components/file-name.ts';
import { saveFile } from '../../components/save-file.ts';
import { useTexts } from '../../texts/texts.tsx';
import { downloadDocument, type ReadDocument } from './document-calls.ts';
import { idOf } from './document-name.ts';

interface DownloadButtonProps {
  readonly name: DocumentName;
  readonly xapi: XapiAccess;
  readonly document: ReadDocument;
}

export function DownloadButton({ name, xapi, document }: DownloadButtonProps) {
  const { documents: texts } = useTexts();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { content } = document;
      const blob = 'blob' in content ? content.blob : await downloadDocument(xapi, name);
      saveFile(blob, fileName(idOf(name), document));
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
