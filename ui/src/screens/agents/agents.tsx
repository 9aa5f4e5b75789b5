import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function AgentsScreen() {
  const { pages } = useTexts();
  return <Page title={pages.agents}>{null}</Page>;
}
