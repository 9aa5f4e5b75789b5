import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function DocumentsScreen() {
  const { pages } = useTexts();
  return <Page title={pages.documents}>{null}</Page>;
}
