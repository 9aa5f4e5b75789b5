import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function ExportScreen() {
  const { pages } = useTexts();
  return <Page title={pages.export}>{null}</Page>;
}
