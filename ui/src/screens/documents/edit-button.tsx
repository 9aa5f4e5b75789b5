import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useTexts } from '../../texts/texts.tsx';
import type { ReadDocument } from './document-calls.ts';
import type { EditableDocument } from './editor.tsx';

interface EditButtonProps {
  readonly document: ReadDocument;
  readonly onEdit: (document: EditableDocument) => void;
}

/** JSON can be edited here; nothing else. */
export function EditButton({ document, onEdit }: EditButtonProps) {
  const { documents: texts } = useTexts();
  const { content, etag, contentType } = document;
  if (content.form !== 'json') return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPencil size={16} aria-hidden />}
      onClick={() => onEdit({ etag, contentType, text: content.text })}
    >
      {texts.edit}
    </Button>
  );
}
