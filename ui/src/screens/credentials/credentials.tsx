import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function CredentialsScreen() {
  const { pages } = useTexts();
  return <Page title={pages.credentials}>{null}</Page>;
}
