import { useEnvironment } from '../api/environment.ts';
import { useTexts } from './texts.tsx';

/** What is administered here: an installation can have many stores, whose screens look alike. */
export function useProduct(): string {
  const { common } = useTexts();
  const { store } = useEnvironment();
  return store === undefined ? common.product : common.productOf(store);
}
