import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DocumentName } from '../../api/browse-pages.ts';
import { isChanged } from './changed-notice.tsx';
import { textOfName } from './document-name.ts';

interface DocumentChange<Known> {
  readonly name: DocumentName;
  readonly change: (known: Known) => Promise<void>;
  /** Whether there is a document afterwards. */
  readonly remains: boolean;
  readonly onSuccess: () => void;
}

/** Changes a document; whatever the screen had read of it is read anew, also when it turns out to be another one by now. */
export function useDocumentChange<Known>({ name, change, remains, onSuccess }: DocumentChange<Known>) {
  const queries = useQueryClient();
  const forget = (refetchType: 'active' | 'none') => {
    void queries.invalidateQueries({ queryKey: ['browse', 'documents'] });
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'document' && queryKey[2] === textOfName(name),
      refetchType,
    });
  };
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      onSuccess();
      forget(remains ? 'active' : 'none');
    },
    onError: (error) => {
      if (isChanged(error)) forget('active');
    },
  });
}
