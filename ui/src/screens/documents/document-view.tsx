import { Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentName } from '../../api/browse-pages.ts';
import type { XapiAccess } from '../../api/xapi.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NeedsScope } from '../../components/needs-scope.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ContentView } from './content-view.tsx';
import { DeleteButton } from './delete-button.tsx';
import { documentQuery } from './document-calls.ts';
import { DocumentFacts } from './document-facts.tsx';
import { resourceOf } from './document-name.ts';
import { DownloadButton } from './download-button.tsx';
import { EditButton } from './edit-button.tsx';
import { type EditableDocument, Editor } from './editor.tsx';

interface DocumentViewProps {
  readonly name: DocumentName;
  readonly xapi: XapiAccess;
  readonly onDeleted: () => void;
}

/** What a document is and holds, and what can be done with it. */
export function DocumentView({ name, xapi, onDeleted }: DocumentViewProps) {
  const { documents: texts } = useTexts();
  const { data, error, refetch } = useQuery(documentQuery(xapi, name));
  // As it was when the editor opened: the document may be read anew while somebody types.
  const [edited, setEdited] = useState<EditableDocument>();
  if (edited !== undefined) {
    return <Editor name={name} xapi={xapi} document={edited} onClose={() => setEdited(undefined)} />;
  }
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return (
    <>
      <DocumentFacts name={name} document={data} />
      <Group gap="xs">
        <DownloadButton name={name} xapi={xapi} document={data} />
        <NeedsScope resource={resourceOf(name)} access="write">
          {() => (
            <>
              <EditButton document={data} onEdit={setEdited} />
              <DeleteButton name={name} xapi={xapi} document={data} onDeleted={onDeleted} />
            </>
          )}
        </NeedsScope>
      </Group>
      <Title order={3} size="h5">
        {texts.content}
      </Title>
      <ContentView name={name} content={data.content} />
    </>
  );
}
