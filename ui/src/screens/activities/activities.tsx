import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function ActivitiesScreen() {
  const { pages } = useTexts();
  return <Page title={pages.activities}>{null}</Page>;
}
