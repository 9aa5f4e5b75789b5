import type { ReactNode, Ref } from 'react';

interface EditorFormProps {
  readonly ref: Ref<HTMLFormElement>;
  /** Told the first field that waits for a value, if there is one. */
  readonly onSubmit: (unfinished: HTMLElement | null) => void;
  readonly children: ReactNode;
}

/** The form around all fields of the editor. */
export function EditorForm({ ref, onSubmit, children }: EditorFormProps) {
  return (
    <form
      ref={ref}
      onSubmit={(event) => {
        // What happens in a dialog over the form comes here, too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onSubmit(event.currentTarget.querySelector<HTMLElement>('[data-unfinished]'));
      }}
      // Enter in one of the many fields means that field, not that all is done.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      {children}
    </form>
  );
}
