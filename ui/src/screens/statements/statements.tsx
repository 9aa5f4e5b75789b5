import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function StatementsScreen() {
  const { pages } = useTexts();
  return <Page title={pages.statements}>{null}</Page>;
}
