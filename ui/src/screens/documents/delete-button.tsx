import { Button, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { DocumentName } from '../../api/browse-pages.ts';
import type { XapiAccess } from '../../api/xapi.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useDone } from '../../components/done.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ChangedNotice, isChanged } from './changed-notice.tsx';
import { deleteDocument, type ReadDocument } from './document-calls.ts';
import { idOf } from './document-name.ts';
import { useDocumentChange } from './use-document-change.ts';

interface DeleteButtonProps {
  readonly name: DocumentName;
  readonly xapi: XapiAccess;
  readonly document: ReadDocument;
  readonly onDeleted: () => void;
}

export function DeleteButton({ name, xapi, document, onDeleted }: DeleteButtonProps) {
  const { documents: texts, common } = useTexts();
  const done = useDone();
  /** The ETag of what was on the page when the question was asked; undefined while it isn't. */
  const [etag, setEtag] = useState<string>();
  const { mutate, isPending, error, reset } = useDocumentChange({
    name,
    change: (known: { readonly etag: string }) => deleteDocument(xapi, name, known),
    remains: false,
    onSuccess: () => {
      done(texts.deleted);
      onDeleted();
    },
  });
  const close = () => {
    setEtag(undefined);
    reset();
  };
  const changed = isChanged(error);
  return (
    <>
      <Button
        size="xs"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setEtag(document.etag)}
      >
        {common.delete}
      </Button>
      {etag !== undefined && (
        <ConfirmDialog
          title={texts.deleteTitle}
          action={common.delete}
          isPending={isPending}
          error={changed ? null : error}
          onConfirm={() => mutate({ etag })}
          onClose={close}
        >
          <Text size="sm" className="wrap-anywhere">
            {texts.deleteText(idOf(name))}
          </Text>
          {changed && <ChangedNotice text={texts.changedBeforeDelete} />}
        </ConfirmDialog>
      )}
    </>
  );
}
