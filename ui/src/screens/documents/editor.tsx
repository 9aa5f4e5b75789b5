import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentName } from '../../api/browse-pages.ts';
import type { XapiAccess } from '../../api/xapi.ts';
import { useDone } from '../../components/done.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { indented, jsonNodeOf } from '../../xapi/json-node.ts';
import { ChangedNotice, isChanged } from './changed-notice.tsx';
import { isJson } from './content.ts';
import { documentQuery, type ReadDocument, replaceDocument } from './document-calls.ts';
import { useDocumentChange } from './use-document-change.ts';

export interface EditableDocument extends Pick<ReadDocument, 'etag' | 'contentType'> {
  readonly text: string;
}

interface EditorProps {
  readonly name: DocumentName;
  readonly xapi: XapiAccess;
  readonly document: EditableDocument;
  readonly onClose: () => void;
}

/** Replaces the content of a JSON document, unless somebody else has meanwhile. */
export function Editor({ name, xapi, document, onClose }: EditorProps) {
  const { documents: texts, common } = useTexts();
  const done = useDone();
  const queries = useQueryClient();
  const [text, setText] = useState(() => indented(jsonNodeOf(document.text)));
  /** The stored version that saving replaces. */
  const [base, setBase] = useState(document);
  const save = useDocumentChange({
    name,
    change: (known: EditableDocument) => replaceDocument(xapi, name, known),
    remains: true,
    onSuccess: () => {
      done(texts.saved);
      onClose();
    },
  });
  const compare = useMutation({
    mutationFn: () => queries.fetchQuery({ ...documentQuery(xapi, name), staleTime: 0 }),
    onSuccess: ({ etag, contentType, content }) => {
      setBase({ etag, contentType, text: 'text' in content ? content.text : '' });
      save.reset();
    },
  });
  const isValid = isJson(text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) save.mutate({ ...base, text });
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={texts.newContent}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isValid ? undefined : texts.notJson}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          data-autofocus
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        {isChanged(save.error) ? (
          <ChangedNotice text={texts.changedBeforeSave}>
            <Button size="xs" variant="default" loading={compare.isPending} onClick={() => compare.mutate()}>
              {texts.compare}
            </Button>
          </ChangedNotice>
        ) : (
          save.error !== null && <ErrorNotice error={save.error} />
        )}
        {compare.error !== null && <ErrorNotice error={compare.error} />}
        {base !== document && <StoredNow text={base.text} />}
        <Group gap="xs">
          <Button type="submit" size="xs" loading={save.isPending} disabled={!isValid}>
            {base === document ? common.save : texts.replaceStored}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What somebody else has stored. */
function StoredNow({ text }: { readonly text: string }) {
  const { documents: texts } = useTexts();
  return (
    <Stack gap={4} role="status">
      {texts.storedNow}
      <Snippet label={texts.storedNow} text={isJson(text) ? indented(jsonNodeOf(text)) : text} />
    </Stack>
  );
}
