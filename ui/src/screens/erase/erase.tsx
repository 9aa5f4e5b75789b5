import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function EraseScreen() {
  const { pages } = useTexts();
  return <Page title={pages.erase}>{null}</Page>;
}
