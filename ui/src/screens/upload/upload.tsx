import { Page } from '../../components/page.tsx';
import { useTexts } from '../../texts/texts.tsx';

export function UploadScreen() {
  const { pages } = useTexts();
  return <Page title={pages.upload}>{null}</Page>;
}
