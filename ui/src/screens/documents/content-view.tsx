import { Image, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DocumentName } from '../../api/browse-pages.ts';
import { JsonView } from '../../components/json-view.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Content } from './content.ts';
import { idOf } from './document-name.ts';

/** The content, as far as a page can show it. */
export function ContentView({ name, content }: { readonly name: DocumentName; readonly content: Content }) {
  const { documents: texts } = useTexts();
  switch (content.form) {
    case 'json':
      return <JsonView text={content.text} label={texts.content} />;
    case 'text':
      return <Snippet text={content.text} label={texts.content} />;
    case 'image':
      return <Picture blob={content.blob} description={idOf(name)} />;
    case 'binary':
      return <Text size="sm">{texts.notShown}</Text>;
    case 'large':
      return <Text size="sm">{texts.tooLarge}</Text>;
  }
}

function Picture({ blob, description }: { readonly blob: Blob; readonly description: string }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address === undefined ? null : <Image src={address} alt={description} w="auto" maw="100%" />;
}
