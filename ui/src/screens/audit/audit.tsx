import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function AuditScreen() {
  const { pages } = useTexts();
  return <Page title={pages.audit}>{null}</Page>;
}
