import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function AccountsScreen() {
  const { pages } = useTexts();
  return <Page title={pages.accounts}>{null}</Page>;
}
