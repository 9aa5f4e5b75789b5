import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function SettingsScreen() {
  const { pages } = useTexts();
  return <Page title={pages.settings}>{null}</Page>;
}
