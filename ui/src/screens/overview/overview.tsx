import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function OverviewScreen() {
  const { pages } = useTexts();
  return <Page title={pages.overview}>{null}</Page>;
}
